import { formatCount } from "../../lib/format.ts";
import { texts } from "../../texts/index.ts";
import type { Sums } from "./queries.ts";

const { timeline, summary } = texts.analytics;

/** The timeline for screen readers, without its buckets that have no clicks. */
export function TimelineTable({ sums, write }: { sums: Sums; write: (at: number) => string }) {
  const counted = sums.timeseries.filter(({ clicks }) => clicks > 0);
  return (
    <div className="sr-only">
      <table>
        <caption>{timeline.asTable}</caption>
        <thead>
          <tr>
            <th scope="col">{timeline.when}</th>
            <th scope="col">{summary.clicks}</th>
            <th scope="col">{summary.visitors}</th>
          </tr>
        </thead>
        <tbody>
          {counted.map(({ start, clicks, unique }) => (
            <tr key={start}>
              <th scope="row">{write(start)}</th>
              <td>{formatCount(clicks)}</td>
              <td>{formatCount(unique)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
