import { DIRECTION } from "../../lib/direction.ts";
import { formatCount } from "../../lib/format.ts";
import type { Note } from "./notes/queries.ts";
import { METRIC_NAMES, type Metric } from "./summary.tsx";
import { HEIGHT, middleOf, type Plot } from "./timeline-plot.tsx";

const READOUT_WIDTH = 208;
/** The list below has all of them. */
const MAX_NOTES = 3;

/** The values of a bucket, above the chart. Screen readers get them as the value of the slider. */
export function Readout({
  plot,
  index,
  title,
  metric,
  nameOfBefore,
  notes,
}: {
  plot: Plot;
  index: number;
  title: string;
  metric: Metric;
  nameOfBefore: string;
  notes: readonly Note[];
}) {
  const { width, values, before } = plot;
  const middle = middleOf(plot, index);
  const isRight = middle + READOUT_WIDTH + 24 > width;
  const left = isRight ? Math.max(4, middle - READOUT_WIDTH - 12) : middle + 12;
  return (
    <div
      aria-hidden
      dir={DIRECTION}
      className="pointer-events-none absolute top-2 z-10 animate-fade rounded-control bg-raised px-3 py-2 text-sm shadow-float"
      style={{ left, width: READOUT_WIDTH, maxHeight: HEIGHT }}
    >
      <p className="mb-1 font-semibold">{title}</p>
      <Line name={METRIC_NAMES[metric]} value={values[index] ?? 0} />
      {before[index] !== undefined && <Line name={nameOfBefore} value={before[index]} quiet />}
      {notes.slice(0, MAX_NOTES).map(({ id, text }) => (
        <p key={id} className="mt-1 line-clamp-2 border-s-2 border-beak ps-2 wrap-anywhere">
          {text}
        </p>
      ))}
    </div>
  );
}

function Line({ name, value, quiet = false }: { name: string; value: number; quiet?: boolean }) {
  return (
    <p className={quiet ? "flex justify-between gap-3 text-soft" : "flex justify-between gap-3"}>
      <span>{name}</span>
      <span className="tabular font-semibold">{formatCount(value)}</span>
    </p>
  );
}
