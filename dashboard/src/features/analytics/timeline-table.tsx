import { formatCount } from "../../lib/format.ts";
import { texts } from "../../texts/index.ts";
import { useAnalytics } from "./context.ts";
import type { Sums } from "./queries.ts";

const { timeline, summary } = texts.analytics;

/** The timeline for screen readers, without its buckets that have no clicks. */
export function TimelineTable({ sums, write }: { sums: Sums; write: (at: number) => string }) {
  const { comparison } = useAnalytics().view;
  const before = sums.previous?.timeseries;
  const rows = sums.timeseries.map((bucket, index) => ({ ...bucket, before: before?.[index]?.clicks ?? 0 }));
  const counted = rows.filter((row) => row.clicks + row.before > 0);
  return (
    <div className="sr-only">
      <table>
        <caption>{timeline.asTable}</caption>
        <thead>
          <tr>
            <th scope="col">{timeline.when}</th>
            <th scope="col">{summary.clicks}</th>
            <th scope="col">{summary.visitors}</th>
            {before !== undefined && <th scope="col">{timeline.clicksBefore(comparison)}</th>}
          </tr>
        </thead>
        <tbody>
          {counted.map(({ start, clicks, unique, before: clicksBefore }) => (
            <tr key={start}>
              <th scope="row">{write(start)}</th>
              <td>{formatCount(clicks)}</td>
              <td>{formatCount(unique)}</td>
              {before !== undefined && <td>{formatCount(clicksBefore)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
