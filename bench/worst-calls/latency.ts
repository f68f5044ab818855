import type { Sample } from "./probe.ts";

/** A period in milliseconds of the monotonic clock. */
export interface Span {
  from: number;
  to: number;
}

export const latenciesIn = (samples: readonly Sample[], spans: readonly Span[]): number[] =>
  samples.filter(({ at }) => spans.some(({ from, to }) => at >= from && at < to)).map(({ latency }) => latency);

/** The share of a minute that this number of such periods takes. */
export const shareOf = (spans: readonly Span[], perMinute: number): number => {
  const mean = spans.reduce((sum, { from, to }) => sum + to - from, 0) / spans.length;
  return Math.min(1, (perMinute * mean) / 60_000);
};

/**
 * The 99th percentile of a minute in which the latencies `during` take the share `share` of the time, and `idle` the
 * rest of it. Each list is a sample of its part.
 */
export function p99Of(idle: readonly number[], during: readonly number[] = [], share = 0): number {
  const isMixed = during.length > 0 && share > 0;
  const weighted = [
    ...idle.map((latency) => ({ latency, weight: (isMixed ? 1 - share : 1) / idle.length })),
    ...(isMixed ? during.map((latency) => ({ latency, weight: share / during.length })) : []),
  ].sort((a, b) => b.latency - a.latency);
  let above = 0;
  for (const { latency, weight } of weighted) {
    above += weight;
    if (above > 0.01) return latency;
  }
  return weighted.at(-1)?.latency ?? Number.NaN;
}
