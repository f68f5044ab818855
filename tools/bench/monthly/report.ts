import { DAY_MS, MINUTE_MS } from "../../../src/limits.ts";
import { FREE_A_DAY, PLAN_DOLLARS, type Use } from "../costs.ts";
import { useOf } from "../counts.ts";
import { ALL_INCLUDED, ALL_PRICES, CAUSES, type Bill, type Billed } from "./bill.ts";
import { MONTH_DAYS } from "./flushes.ts";
import type { Mix } from "./mix.ts";

/** The head and the rows of a Markdown table. */
export type Table = [head: string[], rows: string[][]];

const thousands = (value: number) => Math.round(value).toLocaleString("en");
const dollars = (value: number) => (Math.abs(value) < 100 ? value.toFixed(2) : thousands(value));
/** Four digits are enough for what was calculated from assumptions. */
const digits = (value: number) => Number(value.toPrecision(4)).toLocaleString("en", { maximumFractionDigits: 6 });

interface MixBill {
  mix: Mix;
  bill: Bill;
}

/** What bills consist of, in dollars. */
export function tableOfCauses(bills: MixBill[]): Table {
  const row = (name: string, show: (each: MixBill) => string) => [name, ...bills.map(show)];
  return [
    row("clicks a month", ({ mix }) => thousands(mix.clicks)),
    [
      row("links", ({ mix }) => thousands(mix.links)),
      ...CAUSES.map((cause) => row(cause, ({ bill }) => dollars(bill.causes[cause]))),
      row("of that included in the plan", ({ bill }) => dollars(-bill.included)),
      row("the plan", () => dollars(PLAN_DOLLARS)),
      row("**a month, in dollars**", ({ bill }) => `**${dollars(bill.dollars)}**`),
    ],
  ];
}

const UNITS: Record<Billed, string> = {
  workerRequest: "requests, millions",
  cpuMillisecond: "CPU, millions of ms",
  objectRequest: "requests to objects, millions",
  objectRowWritten: "rows written by objects, millions",
  objectRowRead: "rows read by objects, millions",
  objectGigabyteSecond: "duration of objects, millions of GB-s",
  objectGigabyte: "storage of objects, GB",
  databaseRowRead: "rows read by D1, millions",
  databaseRowWritten: "rows written by D1, millions",
  databaseGigabyte: "storage of D1, GB",
  queueOperation: "queue operations, millions",
};

/** The arithmetic of a bill. Rows that objects read are not counted. */
export function tableOfUsage({ usage }: Bill): Table {
  const resources = (Object.keys(UNITS) as Billed[]).filter((resource) => resource !== "objectRowRead");
  const rows = resources.map((resource) => {
    const used = usage[resource] ?? 0;
    const beyond = Math.max(0, used - ALL_INCLUDED[resource]) * ALL_PRICES[resource];
    const [included, price] = [ALL_INCLUDED[resource].toLocaleString("en"), String(ALL_PRICES[resource])];
    return [UNITS[resource], digits(used), included, price, dollars(beyond)];
  });
  return [["", "used", "included", "$ each", "$"], rows];
}

/** What installations use in a day, with the runs of the cron, and the free plan's limits. */
export function tableOfFreePlan(bills: MixBill[]): Table {
  const ofCron = useOf("a run of the cron, with nothing due");
  const runs = DAY_MS / MINUTE_MS;
  const resources = (Object.keys(FREE_A_DAY) as (keyof Use)[]).filter((resource) => resource !== "objectRowRead");
  const rows = resources.map((resource) => {
    const limit = FREE_A_DAY[resource];
    const show = (millionsAMonth = 0) => {
      const used = (millionsAMonth * 1_000_000) / MONTH_DAYS + ofCron[resource] * runs;
      return used > limit ? `**${thousands(used)}**` : thousands(used);
    };
    const name = UNITS[resource].replace(", millions of", ",").replace(", millions", "");
    return [name, thousands(limit), show()].concat(bills.map(({ bill }) => show(bill.usage[resource])));
  });
  const clicks = bills.map(({ mix }) => `${thousands(mix.clicks / MONTH_DAYS)} clicks`);
  return [["a day", "limit", "no visits", ...clicks], rows];
}

/** What bills depend on. */
export function tableOfMixes(bills: { change: Partial<Mix>; bill: Bill }[]): Table {
  const rows = bills.map(({ change, bill: { flushed, dollars: total, causes } }) => [
    Object.entries(change)
      .map(([name, value]) => `\`${name}\`: ${value.toLocaleString("en")}`)
      .join(", ") || "as above",
    `${(flushed.alone * 100).toFixed(1)} %`,
    flushed.rows.toFixed(3),
    dollars(causes["storing clicks"]),
    dollars(causes.storage),
    dollars(total),
  ]);
  return [["", "clicks alone in their flush", "rows a click", "storing clicks, $", "storage, $", "a month, $"], rows];
}

/** The parameters of a mix, without the numbers of clicks and links. */
export function tableOfMix({ clicks: _clicks, links: _links, ...mix }: Mix): Table {
  return [["parameter", "value"], Object.entries(mix).map(([name, value]) => [`\`${name}\``, String(value)])];
}
