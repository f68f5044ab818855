import { texts } from "../../texts/index.ts";
import { useAnalytics } from "./context.ts";
import { parameterOf, type List } from "./dimensions.ts";
import type { Sums } from "./queries.ts";
import { SHOWN_VALUES } from "./shown-values.ts";
import { ValueRow } from "./value-row.tsx";

const { cards } = texts.analytics;

/** The most frequent values of a list, each with its bar. */
export function ValueList({ list, sums }: { list: List; sums: Sums }) {
  const { nameOf } = useAnalytics();
  const values = (sums[list] ?? []).slice(0, SHOWN_VALUES);
  const name = parameterOf(list);
  if (values.length === 0) return <p className="grid min-h-48 flex-1 place-content-center text-soft">{cards.empty}</p>;
  return (
    <ul className="grid min-h-48 content-start gap-0.5">
      {values.map(({ value, clicks }) => (
        <ValueRow
          key={value}
          name={name}
          value={value}
          label={nameOf(name, value)}
          clicks={clicks}
          total={sums.total}
          most={values[0]?.clicks ?? clicks}
        />
      ))}
    </ul>
  );
}
