import { texts } from "../../texts/index.ts";
import { Options, SelectField } from "../../ui/field.tsx";
import { useAnalytics } from "./context.ts";
import { COMPARISON_CHOICES, type Comparison } from "./view.ts";

const { comparison: words } = texts.analytics;

/** What the numbers and the chart are compared with. */
export function ComparisonField() {
  const { view, change } = useAnalytics();
  const isAll = "interval" in view.period && view.period.interval === "all";
  return (
    <SelectField
      label={words.label}
      hint={isAll ? words.notOfAll : undefined}
      className="mt-3"
      disabled={isAll}
      value={isAll ? "none" : view.comparison}
      onValue={(value) => change({ comparison: value as Comparison })}
    >
      <Options values={COMPARISON_CHOICES} nameOf={(each) => words.kinds[each]} />
    </SelectField>
  );
}
