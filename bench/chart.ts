import { showPart, showRate } from "./report.ts";
import type { MeasuredRow, Result } from "./result.ts";
import type { Spread } from "./statistics.ts";

// A picture of a run for the README: what has a goal beside its goal, and how many of everything there are in a second.

const WIDTH = 760;
const LABELS = 190;
const RIGHT = 96;
const LINE = 26;
const BAR = 12;
const MARGIN = 20;
const TITLE = 46;

const STYLE = `
  text { font: 13px system-ui, sans-serif; fill: #1f2328 }
  .title { font-weight: 600 }
  .small { font-size: 12px; fill: #59636e }
  .paper { fill: #ffffff }
  .bar { fill: #4c86c6 }
  .spread { stroke: #1f2328; stroke-width: 1.5 }
  .goal { stroke: #b35900; stroke-width: 2.5 }
  .grid { stroke: #d1d9e0 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 }
    .small { fill: #9198a1 }
    .paper { fill: #0d1117 }
    .bar { fill: #3a74b8 }
    .spread { stroke: #e6edf3 }
    .goal { stroke: #f0a04b }
    .grid { stroke: #30363d }
  }`;

interface Bar {
  label: string;
  spread: Spread;
  goal: number | null;
  value: string;
}

interface Panel {
  title: string;
  bars: Bar[];
  /** From 0 to 1. */
  scale: (value: number) => number;
  ticks: { value: number; label: string }[];
}

export function drawChart({ rows }: Result): string {
  const panels = [sharesOf(rows), ratesOf(rows)].filter(({ bars }) => bars.length > 0);
  const heights = panels.map(({ bars }) => TITLE + bars.length * LINE + LINE);
  const height = heights.reduce((sum, each) => sum + each, 2 * MARGIN);
  let top = MARGIN;
  const drawn = panels.map((panel, n) => {
    const picture = drawPanel(panel, top);
    top += heights[n] ?? 0;
    return picture;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="Figures of npm run bench">
<style>${STYLE}
</style>
<rect class="paper" width="${WIDTH}" height="${height}" rx="6"/>
${drawn.join("\n")}
</svg>
`;
}

function sharesOf(rows: MeasuredRow[]): Panel {
  const bars = rows.flatMap(({ name, share, goal, against }) =>
    share === null || goal === null
      ? []
      : [{ label: `${name}, of ${against}`, spread: share, goal, value: showPart(share.median) }],
  );
  const most = Math.max(1, ...bars.map(({ spread }) => spread.high));
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((value) => ({ value, label: String(value) }));
  return {
    title: "Operations a second, of those of the Worker that does the least; the mark is the goal",
    bars,
    scale: (value) => value / most,
    ticks,
  };
}

function ratesOf(rows: MeasuredRow[]): Panel {
  const bars = rows.map(({ name, unit, perSecond }) => ({
    label: unit === "requests" ? name : `${name} (${unit})`,
    spread: perSecond,
    goal: null,
    value: showRate(perSecond.median),
  }));
  const lowest = Math.floor(Math.log10(Math.min(...bars.map(({ spread }) => spread.low))));
  const highest = Math.ceil(Math.log10(Math.max(...bars.map(({ spread }) => spread.high))));
  const ticks = Array.from({ length: Math.max(0, highest - lowest + 1) }, (_, n) => 10 ** (lowest + n));
  return {
    title: "Operations a second, each step ten times the one before",
    bars,
    scale: (value) => (Math.log10(value) - lowest) / (highest - lowest),
    ticks: ticks.map((value) => ({ value, label: value.toLocaleString("en") })),
  };
}

function drawPanel({ title, bars, scale, ticks }: Panel, top: number): string {
  const x = (value: number) => round(LABELS + scale(value) * (WIDTH - LABELS - RIGHT));
  const first = top + TITLE;
  const end = first + bars.length * LINE;
  const grid = ticks.map(
    ({ value, label }) =>
      `<line class="grid" x1="${x(value)}" x2="${x(value)}" y1="${first - 6}" y2="${end}"/>` +
      `<text class="small" x="${x(value)}" y="${end + 16}" text-anchor="middle">${label}</text>`,
  );
  const drawn = bars.map(({ label, spread, goal, value }, n) => {
    const y = first + n * LINE;
    const middle = y + BAR / 2;
    const goalMark =
      goal === null ? "" : `<line class="goal" x1="${x(goal)}" x2="${x(goal)}" y1="${y - 4}" y2="${y + BAR + 4}"/>`;
    return (
      `<text x="${LABELS - 10}" y="${middle + 4}" text-anchor="end">${label}</text>` +
      `<rect class="bar" x="${LABELS}" y="${y}" width="${round(x(spread.median) - LABELS)}" height="${BAR}"/>` +
      `<line class="spread" x1="${x(spread.low)}" x2="${x(spread.high)}" y1="${middle}" y2="${middle}"/>` +
      goalMark +
      `<text x="${WIDTH - MARGIN}" y="${middle + 4}" text-anchor="end">${value}</text>`
    );
  });
  const heading = `<text class="title" x="${MARGIN}" y="${top + 18}">${title}</text>`;
  return [heading, ...grid, ...drawn].join("\n");
}

const round = (value: number) => Math.round(value * 10) / 10;
