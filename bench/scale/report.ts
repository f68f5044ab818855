import { parseShards } from "../../src/clicks/click-log-name.ts";
import { table } from "../report.ts";
import type { Load, PeriodResult, Simulated } from "./simulate.ts";

const whole = (n: number) => n.toLocaleString("en");

const ROWS: [name: string, show: (period: PeriodResult) => string][] = [
  ["ClickLogs of the account", ({ shards }) => whole(parseShards(shards).at(-1)?.[1] ?? 1)],
  ["calls that ClickLogs executed", ({ calls }) => whole(calls)],
  ["calls refused by overloaded ClickLogs", ({ overloads }) => whole(overloads)],
  ["answers lost after the clicks were stored", ({ lostAnswers }) => whole(lostAnswers)],
  ["busiest second of a ClickLog, of what it can do", ({ busiestObject }) => `${Math.round(busiestObject * 100)} %`],
  ["messages through the queue", ({ messages }) => whole(messages)],
  ["busiest second of the queue, messages", ({ busiestQueue }) => whole(busiestQueue)],
  ["messages that the queue refused, sent again", ({ refusedMessages }) => whole(refusedMessages)],
  ["messages delivered twice", ({ redelivered }) => whole(redelivered)],
  ["most messages that waited", ({ mostWaiting }) => whole(mostWaiting)],
  ["dead letters", ({ deadLetters }) => whole(deadLetters)],
  ["seconds until all was stored", ({ drainedMs }) => (drainedMs / 1_000).toFixed(1)],
];

/** What happened, and whether the answers are those of the model. */
export function reportRun({ perSecond, isolates, seconds }: Load, result: Simulated): string {
  const head = ["", `first load, ${seconds[0]} s`, `around the midnight, ${seconds[1]} s`];
  const rows = ROWS.map(([name, show]) => [name].concat(result.periods.map(show)));
  const { clicks, missing, wrong, totals } = result;
  const exact =
    wrong.length === 0
      ? `all ${totals.length} answers are those of the model: totals, unique visitors and every dimension`
      : `${wrong.length} of ${totals.length} answers differ from the model`;
  return `${whole(clicks)} clicks, ${whole(perSecond)} a second from ${whole(isolates)} isolates

${table(head, rows)}

${whole(missing)} clicks are lost, and ${exact}.`;
}
