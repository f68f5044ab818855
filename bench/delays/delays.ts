import { measureScenario, SCENARIOS } from "./scenarios.ts";

// How long events take from the change or click to their receiver, with the batch timeouts of production and one consumer of
// each queue at a time, as on a developer's machine.

const wanted = process.argv.slice(2);
const chosen = SCENARIOS.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
if (chosen.length === 0) throw new Error(`the scenarios are ${SCENARIOS.map(({ name }) => name).join(", ")}`);
console.log(
  ["scenario", "event", "events", "not arrived", "p50 ms", "p95 ms", "in flight", "CPU ms an event"].map(cell).join(""),
);
for (const scenario of chosen)
  for (const { event, delays, missing, mostInFlight, cpuMs } of await measureScenario(scenario)) {
    const row = [
      scenario.name,
      event,
      delays.length,
      missing,
      quantile(delays, 0.5),
      quantile(delays, 0.95),
      mostInFlight,
      cpuMs,
    ];
    console.log(row.map(cell).join(""));
  }

function cell(value: string | number): string {
  return String(value).padEnd(14);
}

function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return Math.round(sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN);
}
