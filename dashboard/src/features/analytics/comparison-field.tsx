import { texts } from "../../texts/index.ts";
import { Field, Select } from "../../ui/field.tsx";
import { useAnalytics } from "./context.ts";
import { COMPARISONS, type Comparison } from "./view.ts";

const { comparison: words } = texts.analytics;

/** What the numbers and the chart are compared with. */
export function ComparisonField() {
  const { view, change } = useAnalytics();
  const isAll = "interval" in view.period && view.period.interval === "all";
  return (
    <Field label={words.label} hint={isAll ? words.notOfAll : undefined} className="mt-3">
      {(control) => (
        <Select
          {...control}
          disabled={isAll}
          value={isAll ? "none" : view.comparison}
          onChange={(event) => change({ comparison: event.target.value as Comparison })}
        >
          {COMPARISONS.map((each) => (
            <option key={each} value={each}>
              {words.kinds[each]}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
