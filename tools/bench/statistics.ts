/** Median, lowest and highest of several measurements. */
export interface Spread {
  median: number;
  low: number;
  high: number;
}

export function spreadOf(values: number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const [below = Number.NaN, above = Number.NaN] = [sorted[Math.floor(middle)], sorted[Math.ceil(middle)]];
  return { median: (below + above) / 2, low: sorted[0] ?? Number.NaN, high: sorted.at(-1) ?? Number.NaN };
}

/** The value that the share of the values, from 0 to 1, do not exceed. */
export function percentileOf(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? Number.NaN;
}

/** Whether the two ranges do not overlap. */
export function differ(a: Spread, b: Spread): boolean {
  return a.low > b.high || a.high < b.low;
}
