import { scaleLinear } from "d3-scale";
import { area, curveMonotoneX, line } from "d3-shape";
import { formatCompact } from "../../lib/format.ts";

// The drawing of the timeline. It has at most one path or some hundred bars, however many clicks there are.

export const HEIGHT = 250;
const TOP = 14;
export const BOTTOM = 26;
const RIGHT = 14;
/** Below this width of a bucket, bars become an area. */
const MIN_BAR_STEP = 5;
const MAX_BAR_WIDTH = 56;
const LABEL_WIDTH = 76;

export interface Plot {
  values: readonly number[];
  /** The values of the period before; empty without one. */
  before: readonly number[];
  left: number;
  width: number;
  /** The width of a bucket. */
  step: number;
  ticks: readonly number[];
  y: (value: number) => number;
}

export function layPlot(values: readonly number[], before: readonly number[], width: number): Plot {
  const shown = before.slice(0, values.length);
  const most = Math.max(4, ...values, ...shown);
  const y = scaleLinear([0, most], [HEIGHT - BOTTOM, TOP]).nice(4);
  const ticks = y.ticks(4).filter(Number.isInteger);
  const left = 14 + 7.5 * Math.max(...ticks.map((tick) => formatCompact(tick).length));
  const inner = Math.max(1, width - left - RIGHT);
  return { values, before: shown, left, width, step: inner / Math.max(1, values.length), ticks, y };
}

/** The index of the bucket at a horizontal position. */
export function indexAt({ left, step, values }: Plot, x: number): number {
  return Math.min(values.length - 1, Math.max(0, Math.floor((x - left) / step)));
}

export const middleOf = ({ left, step }: Plot, index: number): number => left + (index + 0.5) * step;

export function TimelinePlot({
  plot,
  labels,
  cursor,
  selection,
  detailFrom,
}: {
  plot: Plot;
  /** The text at the axis for each bucket. */
  labels: (index: number) => string;
  cursor: number | null;
  selection: readonly [first: number, last: number] | null;
  /** The first bucket of which single clicks are stored; null: of all. */
  detailFrom: number | null;
}) {
  const { left, step, width, before } = plot;
  const path = line<number>(
    (_, index) => middleOf(plot, index),
    (value) => plot.y(value),
  ).curve(curveMonotoneX);
  const [first, last] = selection ?? (cursor === null ? [0, -1] : [cursor, cursor]);
  return (
    <svg width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`} aria-hidden className="block">
      <Axes plot={plot} labels={labels} />
      {last >= first && (
        <rect
          x={left + first * step}
          y={TOP - 8}
          width={(last - first + 1) * step}
          height={HEIGHT - TOP - BOTTOM + 8}
          rx={6}
          className="fill-wash"
        />
      )}
      {step < MIN_BAR_STEP ? <Area plot={plot} /> : <Bars plot={plot} cursor={cursor} />}
      {detailFrom !== null && (
        <line
          x1={left + detailFrom * step}
          x2={left + detailFrom * step}
          y1={TOP - 8}
          y2={HEIGHT - BOTTOM}
          className="stroke-soft"
          strokeDasharray="2 3"
        />
      )}
      {before.length > 1 && (
        <path
          d={path(before) ?? ""}
          className="fill-none stroke-control"
          strokeWidth={1.5}
          strokeDasharray="3 4"
          strokeLinecap="round"
        />
      )}
      {before.length === 1 && (
        <line
          x1={left}
          x2={left + step}
          y1={plot.y(before[0] ?? 0)}
          y2={plot.y(before[0] ?? 0)}
          className="stroke-control"
          strokeWidth={1.5}
          strokeDasharray="3 4"
        />
      )}
    </svg>
  );
}

function Axes({ plot, labels }: { plot: Plot; labels: (index: number) => string }) {
  const { ticks, y, left, width, step, values } = plot;
  const every = Math.max(1, Math.ceil(LABEL_WIDTH / step));
  const labelled = values.flatMap((_, index) => (index % every === 0 ? [index] : []));
  return (
    <>
      {ticks.map((tick) => (
        <g key={tick}>
          <line x1={left} x2={width - RIGHT} y1={y(tick)} y2={y(tick)} className="stroke-line" />
          <text x={left - 8} y={y(tick)} dy="0.32em" textAnchor="end" className="tabular fill-soft text-xs">
            {formatCompact(tick)}
          </text>
        </g>
      ))}
      {labelled.map((index) => (
        <text
          key={index}
          x={clampLabel(middleOf(plot, index), left, width)}
          y={HEIGHT - 7}
          textAnchor="middle"
          className="tabular fill-soft text-xs"
        >
          {labels(index)}
        </text>
      ))}
    </>
  );
}

const HALF_LABEL = 24;
const clampLabel = (x: number, left: number, width: number) =>
  Math.min(width - HALF_LABEL, Math.max(left + HALF_LABEL - 10, x));

function Bars({ plot, cursor }: { plot: Plot; cursor: number | null }) {
  const { values, left, step, y } = plot;
  const barWidth = Math.min(MAX_BAR_WIDTH, Math.max(2, step * 0.68));
  const floor = y(0);
  return values.map((value, index) =>
    value === 0 ? null : (
      <path
        key={index}
        d={barPath(left + index * step + (step - barWidth) / 2, Math.min(y(value), floor - 2), barWidth, floor)}
        className={cursor === index ? "fill-accent-strong" : "fill-accent"}
      />
    ),
  );
}

/** A bar whose upper corners are round. */
function barPath(x: number, top: number, width: number, floor: number): string {
  const radius = Math.min(4, width / 2, floor - top);
  return `M${x},${floor}V${top + radius}q0,${-radius} ${radius},${-radius}h${width - 2 * radius}q${radius},0 ${radius},${radius}V${floor}Z`;
}

function Area({ plot }: { plot: Plot }) {
  const x = (_: number, index: number) => middleOf(plot, index);
  const fill = area<number>(x, plot.y(0), (value) => plot.y(value)).curve(curveMonotoneX);
  const edge = line<number>(x, (value) => plot.y(value)).curve(curveMonotoneX);
  return (
    <>
      <path d={fill(plot.values) ?? ""} className="fill-accent/20" />
      <path d={edge(plot.values) ?? ""} className="fill-none stroke-accent" strokeWidth={2} strokeLinejoin="round" />
    </>
  );
}
