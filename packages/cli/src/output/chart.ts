import { paint } from "./terminal.ts";
import { formatNumber, pad } from "./text.ts";

const EIGHTHS = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];
const CHART_ROWS = 8;
/** Columns are at most this wide, so that few values do not become blocks. */
const MAX_BAR_COLUMNS = 6;

export interface Bar {
  label: string;
  value: number;
}

/**
 * Draws values as columns, with the highest value at the left and the first, middle and last label below. Neighbours are
 * added up if there are more values than the terminal has columns.
 */
export function drawChart(bars: Bar[], columns: number): string[] {
  const longest = Math.max(...bars.map(({ value }) => value), 0);
  const axisWidth = formatNumber(longest).length;
  const room = Math.max(1, columns - axisWidth - 3);
  const shown = addUp(bars, Math.ceil(bars.length / room));
  const highest = Math.max(...shown.map(({ value }) => value), 1);
  const width = Math.max(1, Math.min(MAX_BAR_COLUMNS, Math.floor(room / shown.length)));
  const gap = width > 1 ? 1 : 0;
  const lines = Array.from({ length: CHART_ROWS }, (_, row) => {
    const label = row === 0 ? formatNumber(highest) : row === CHART_ROWS - 1 ? "0" : "";
    const drawn = shown
      .map(({ value }) => barPart(value / highest, row).repeat(width - gap) + " ".repeat(gap))
      .join("");
    return `${paint("dim", `${pad(label, formatNumber(highest).length, "right")} ┤`)} ${paint("cyan", drawn)}`.trimEnd();
  });
  const indent = " ".repeat(formatNumber(highest).length + 3);
  return [...lines, paint("dim", indent + labelLine(shown, width))];
}

/** The character of a column in a row; row 0 is the top. A value above 0 is always visible. */
function barPart(share: number, row: number): string {
  const eighths = share === 0 ? 0 : Math.max(1, Math.round(share * CHART_ROWS * 8));
  const here = eighths - (CHART_ROWS - 1 - row) * 8;
  return EIGHTHS[Math.max(0, Math.min(8, here))] ?? " ";
}

function addUp(bars: Bar[], size: number): Bar[] {
  if (size <= 1) return bars;
  return Array.from({ length: Math.ceil(bars.length / size) }, (_, group) => {
    const members = bars.slice(group * size, (group + 1) * size);
    return { label: members[0]?.label ?? "", value: members.reduce((sum, { value }) => sum + value, 0) };
  });
}

function labelLine(bars: Bar[], width: number): string {
  const total = bars.length * width;
  const first = bars[0]?.label ?? "";
  const last = bars.length > 1 ? (bars.at(-1)?.label ?? "") : "";
  const middleIndex = Math.floor(bars.length / 2);
  const middle = bars[middleIndex]?.label ?? "";
  const line = Array.from({ length: Math.max(total, first.length) }, () => " ");
  const write = (text: string, start: number) => {
    for (const [index, character] of Array.from(text).entries()) line[start + index] = character;
  };
  write(first, 0);
  const lastStart = total - last.length;
  if (last !== "" && lastStart > first.length) write(last, lastStart);
  const middleStart = middleIndex * width;
  if (middleStart > first.length + 1 && middleStart + middle.length + 1 < lastStart) write(middle, middleStart);
  return line.join("").trimEnd();
}
