import { countStatuses, FLOODS, measureBeside } from "./floods.ts";
import { measureScenario, SCENARIOS } from "./scenarios.ts";

// How long events take from the change or click to their receiver, with the batch timeouts of production and one consumer of
// each queue at a time, as on a developer's machine. And how long requests take beside a flood.

const wanted = process.argv.slice(2);
const isChosen = ({ name }: { name: string }) => wanted.length === 0 || wanted.some((part) => name.startsWith(part));
const [scenarios, floods] = [SCENARIOS.filter(isChosen), FLOODS.filter(isChosen)];
if (scenarios.length + floods.length === 0)
  throw new Error(`the scenarios are ${[...SCENARIOS, ...FLOODS].map(({ name }) => name).join(", ")}`);

if (scenarios.length > 0)
  show("scenario", "event", "events", "not arrived", "p50 ms", "p95 ms", "in flight", "CPU ms an event");
for (const scenario of scenarios)
  for (const { event, delays, missing, mostInFlight, cpuMs } of await measureScenario(scenario))
    show(
      scenario.name,
      event,
      delays.length,
      missing,
      quantile(delays, 0.5),
      quantile(delays, 0.95),
      mostInFlight,
      cpuMs,
    );

if (floods.length > 0) show("scenario", "requests", "number", "p50 ms", "p95 ms", "p99 ms", "statuses");
for (const flood of floods)
  for (const { what, samples } of await measureBeside(flood)) {
    const latencies = samples.map(({ latency }) => latency);
    const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => quantile(latencies, share));
    show(flood.name, what, latencies.length, p50 ?? "", p95 ?? "", p99 ?? "", countStatuses(samples));
  }

function show(...row: (string | number)[]): void {
  console.log(row.map((value) => `${value}  `.padEnd(14)).join(""));
}

function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return Math.round(sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN);
}
