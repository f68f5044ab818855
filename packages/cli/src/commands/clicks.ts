import type { GetClicks, Clicks } from "@tern/sdk";
import { Option, type Command } from "commander";
import { action, type Context } from "../context.ts";
import { UsageError } from "../errors.ts";
import { findLink } from "../links/find-link.ts";
import { addExamples, collect, pick } from "../options.ts";
import { drawChart } from "../output/chart.ts";
import { isTerminal, paint, print, terminalColumns } from "../output/terminal.ts";
import { count, formatNumber, pad, toLine, truncate } from "../output/text.ts";

const FILTERS = [
  "interval",
  "start",
  "end",
  "bucket",
  "timezone",
  "country",
  "device",
  "browser",
  "os",
  "referrer",
  "source",
  "trigger",
] as const;
const ALL_LINKS_FILTERS = ["tag", "domain"] as const;
const INTERVALS = ["24h", "today", "yesterday", "7d", "mtd", "30d", "90d", "1y", "all"];
/** Values of a dimension that are shown. */
const TOP_VALUES = 5;
const TOP_COLUMN_WIDTH = 24;

export function addClicks(program: Command): void {
  const clicks = program
    .command("clicks")
    .description("show the clicks of a link, or of all links, as a chart")
    .argument("[link]", "an id, a short URL, or a slug; without it, all links")
    .addOption(new Option("--interval <interval>", "the period (default: 30d)").choices(INTERVALS))
    .option("--start <time>", "the beginning of a period of your own, such as 2030-01-31")
    .option("--end <time>", "its end (default: now)")
    .addOption(new Option("--bucket <bucket>", "the length of a column").choices(["hour", "day", "month"]))
    .option("--timezone <name>", "such as Europe/Berlin (default: that of this computer)")
    .option("--country <code>", "clicks from this country; these filters can be repeated, !DE excludes", collect)
    .option("--device <device>", "desktop, mobile, tablet, tv, console, other", collect)
    .option("--browser <name>", "clicks with this browser", collect)
    .option("--os <name>", "clicks with this system", collect)
    .option("--referrer <host>", "clicks from this host, or direct", collect)
    .option("--source <site>", "clicks from this site, or direct", collect)
    .option("--trigger <trigger>", "link or qr", collect)
    .option("--tag <tag>", "without a link: only links with this tag", collect)
    .option("--domain <domain>", "without a link: only links on this domain", collect)
    .action(action(showClicks));
  addExamples(clicks, [
    "tern clicks spring-26 --interval 7d",
    "tern clicks --tag sale --country DE --country AT",
    "tern clicks spring-26 --json | jq .total",
    "tern clicks spring-26 > days.tsv",
  ]);
}

async function showClicks(context: Context<GetClicks>, text: string | undefined): Promise<void> {
  const { client, options } = context;
  const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const query = { timezone, ...pick(options, FILTERS) };
  if (text === undefined) {
    const clicks = await client.clicks.get({ ...query, ...pick(options, ALL_LINKS_FILTERS) });
    context.show(clicks, () => printClicks("all links", clicks, query.timezone));
    return;
  }
  const foreign = ALL_LINKS_FILTERS.find((name) => Object.hasOwn(options, name));
  if (foreign !== undefined) throw new UsageError(`--${foreign} selects links: leave out ${text}.`);
  const link = await findLink(client, text);
  const clicks = await client.clicks.getForLink(link.id, query);
  context.show(clicks, () => printClicks(link.shortUrl, clicks, query.timezone));
}

function printClicks(name: string, clicks: Clicks, timezone: string): void {
  if (!isTerminal()) {
    for (const { start, clicks: number, unique } of clicks.timeseries) {
      print([new Date(start).toISOString(), number, unique].join("\t"));
    }
    return;
  }
  const { total, unique, bots, timeseries, bucket } = clicks;
  const crawlers = bots === 0 ? "" : ` · ${count(bots, "visit")} of crawlers`;
  print(`${paint("bold", name)} · ${count(total, "click")} · ${count(unique, "visitor")}${crawlers}`);
  if (total === 0) return;
  print("");
  const bars = timeseries.map(({ start, clicks }) => ({ label: labelOf(start, bucket, timezone), value: clicks }));
  for (const line of drawChart(bars, terminalColumns())) print(line);
  printTop(clicks);
}

function labelOf(start: number, bucket: Clicks["bucket"], timeZone: string): string {
  const format = {
    hour: { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
    day: { day: "numeric", month: "short" },
    month: { month: "short", year: "numeric" },
  } as const;
  return new Intl.DateTimeFormat("en-GB", { ...format[bucket], timeZone }).format(start);
}

/** Prints the most frequent values of some dimensions, side by side. */
function printTop(clicks: Clicks): void {
  const lists = [
    { title: "COUNTRIES", values: clicks.countries },
    { title: "SOURCES", values: clicks.sources },
    { title: "DEVICES", values: clicks.devices },
  ];
  const fitting = lists.slice(0, Math.max(1, Math.floor(terminalColumns() / (TOP_COLUMN_WIDTH + 2))));
  const rows = Math.min(TOP_VALUES, Math.max(...fitting.map(({ values }) => values.length)));
  print("");
  print(
    paint(
      "dim",
      fitting
        .map(({ title }) => pad(title, TOP_COLUMN_WIDTH))
        .join("  ")
        .trimEnd(),
    ),
  );
  for (let row = 0; row < rows; row++) {
    print(
      fitting
        .map(({ values }) => topCell(values[row]))
        .join("  ")
        .trimEnd(),
    );
  }
}

function topCell(entry: { value: string; clicks: number } | undefined): string {
  if (entry === undefined) return " ".repeat(TOP_COLUMN_WIDTH);
  const number = formatNumber(entry.clicks);
  const room = TOP_COLUMN_WIDTH - number.length - 1;
  return `${pad(truncate(toLine(entry.value), room), room)} ${number}`;
}
