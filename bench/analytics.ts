import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { clickLogName } from "../src/clicks/click-log-name.ts";
import { MAX_CLICKS_PER_MESSAGE } from "../src/limits.ts";
import { createAccount } from "../test/e2e/support/accounts.ts";
import { cpuMicroseconds, findRuntime, residentBytes } from "./load/process.ts";
import { call, makeLink, startMetered } from "./metered/server.ts";
import { DAY_MS, fillYear, NOW } from "./metered/year.ts";
import { dollars, mixes, PRICES } from "./prices.ts";

// What questions about a link's year of clicks read, what a click writes, and what a billion of them cost.

const BYTES_PER_MEGABYTE = 1_048_576;

interface Asked {
  question: string;
  /** The first time and again. */
  rowsRead: [number, number];
  cpuMs: [number, number];
}

const { values: options } = parseArgs({
  options: { json: { type: "string" }, clicks: { type: "string", default: "1000,100000,1000000" } },
});
const server = await startMetered();
const { control, db } = server;
const pid = findRuntime();

const callApi = (key: string, method: string, path: string, body?: object) => call(server, key, method, path, body);

async function createLinks(key: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    const { id } = await makeLink(server, key);
    ids.push(id);
  }
  return ids;
}

async function measure(run: () => Promise<unknown>): Promise<{ rowsRead: number; cpuMs: number }> {
  let cpuMs = 0;
  const { logRowsRead } = await server.measure(async () => {
    const cpu = cpuMicroseconds(pid);
    await run();
    cpuMs = (cpuMicroseconds(pid) - cpu) / 1_000;
  });
  return { rowsRead: logRowsRead, cpuMs };
}

/** A day of one link that everybody follows: its messages are full. */
async function measureDay(atLeast: number) {
  const hours = 24;
  const perHour = Math.ceil(atLeast / hours);
  const clicks = hours * perHour;
  const midnight = NOW - 2.5 * DAY_MS;
  await control({ now: midnight });
  const { accountId, key } = await createAccount(db);
  const links = await createLinks(key, 1);
  const name = clickLogName(accountId, "");
  const taken = await measure(async () => {
    for (let hour = 0; hour < hours; hour++) {
      const until = midnight + ((hour + 1) / hours) * DAY_MS - 1;
      const many = { clicks: perHour, perMessage: 50, perDelivery: 10, from: until - DAY_MS / hours, until };
      await control({ now: until, take: { accountId, links, ...many } });
    }
  });
  const asked = await measure(() => callApi(key, "GET", "/api/clicks?interval=7d"));
  await control({ now: NOW - DAY_MS });
  const summarised = await measure(() => control({ night: name }));
  await control({ now: NOW + 100 * DAY_MS });
  const folded = await measure(() => control({ night: name }));
  let left = 0;
  // With a filter, so that what is read is what was folded.
  for (const trigger of ["link", "qr"]) {
    const answer = await callApi(key, "GET", `/api/clicks?interval=1y&trigger=${trigger}`);
    const { total, bots } = (answer.json() as { clicks: { total: number; bots: number } }).clicks;
    left += total + bots;
  }
  if (left !== clicks) throw new Error(`${left} of ${clicks} clicks are left after folding`);
  await control({ now: NOW });
  return {
    clicks,
    taken,
    asked,
    summarised,
    folded,
    residentMegabytes: Math.round(residentBytes(pid) / BYTES_PER_MEGABYTE),
  };
}

/** A year of one link. */
async function measureYear(clicks: number) {
  await control({ now: NOW - 365 * DAY_MS });
  const { accountId, key } = await createAccount(db);
  const [link = ""] = await createLinks(key, 1);
  const started = performance.now();
  await fillYear(server, { accountId, link }, clicks, { perMessage: 1, perDelivery: 100 });
  const seconds = Math.round((performance.now() - started) / 1_000);
  let bytes = 0;
  for (let night = 0; night < 3; night++) ({ bytes } = await control({ night: clickLogName(accountId, "") }));
  const asked: Asked[] = [];
  const path = `/api/links/${link}/clicks`;
  for (const [question, query] of [
    ["a year", `${path}?interval=1y`],
    ["a year, of a country", `${path}?interval=1y&country=AA`],
    ["a year, of mobile Chrome", `${path}?interval=1y&device=mobile&browser=Chrome`],
    ["30 days, in Kathmandu", `${path}?interval=30d&timezone=Asia/Kathmandu`],
    ["a year, of all links", "/api/clicks?interval=1y"],
    ["the newest records", `${path}/records?limit=100`],
    ["records of a rare city", `${path}/records?limit=100&interval=90d&city=City%20of%20G2996`],
    ["90 days as CSV", `${path}/records?format=csv&interval=90d`],
  ] as const) {
    const [first, again] = [
      await measure(() => callApi(key, "GET", query)),
      await measure(() => callApi(key, "GET", query)),
    ];
    asked.push({ question, rowsRead: [first.rowsRead, again.rowsRead], cpuMs: [first.cpuMs, again.cpuMs] });
  }
  return {
    clicks,
    seconds,
    bytesPerClick: bytes / clicks,
    residentMegabytes: Math.round(residentBytes(pid) / BYTES_PER_MEGABYTE),
    asked,
  };
}

/** Rows that a click writes, and those of the counters that are brought up to date when somebody asks for links. */
async function measureWriting() {
  const { accountId, key } = await createAccount(db);
  const links = await createLinks(key, 100);
  const [hot = ""] = links;
  const from = NOW - 3_600_000;
  const written = async (take: { links: string[]; clicks: number; perMessage: number; perDelivery: number }) => {
    const { logRowsWritten } = await server.measure(() => control({ take: { accountId, from, until: NOW, ...take } }));
    return logRowsWritten / take.clicks;
  };
  const cold = await written({ links, clicks: 1_000, perMessage: 1, perDelivery: 1 });
  const listed = await server.measure(() => callApi(key, "GET", "/api/links?limit=100"));
  const hotAlone = await written({ links: [hot], clicks: 10_000, perMessage: MAX_CLICKS_PER_MESSAGE, perDelivery: 1 });
  const hotTogether = await written({
    links: [hot],
    clicks: 10_000,
    perMessage: MAX_CLICKS_PER_MESSAGE,
    perDelivery: 100,
  });
  return {
    logRowsPerColdClick: cold,
    logRowsPerHotClick: hotAlone,
    logRowsPerHotClickInFullDeliveries: hotTogether,
    databaseRowsPerLinkAskedFor: listed.databaseRowsWritten / links.length,
    logRowsPerAsking: listed.logRowsWritten,
  };
}

try {
  const years = [];
  for (const clicks of options.clicks.split(",").map(Number)) {
    const year = await measureYear(clicks);
    years.push(year);
    console.log(
      `\n${clicks.toLocaleString("en")} clicks of one link in a year: ${year.bytesPerClick.toFixed(0)} bytes a click, ` +
        `taken in within ${year.seconds} s, runtime of ${year.residentMegabytes} MB`,
    );
    console.log("".padEnd(28) + "rows read (again)".padEnd(24) + "CPU ms (again)");
    for (const { question, rowsRead, cpuMs } of year.asked) {
      const show = ([first, again]: [number, number]) =>
        `${first.toLocaleString("en")} (${again.toLocaleString("en")})`;
      console.log(question.padEnd(28) + show(rowsRead).padEnd(24) + show(cpuMs));
    }
  }
  const day = await measureDay(Math.max(...years.map(({ clicks }) => clicks)));
  console.log(
    `\n${day.clicks.toLocaleString("en")} clicks of one link in a day, runtime of ${day.residentMegabytes} MB`,
  );
  console.log("".padEnd(28) + "rows read".padEnd(24) + "CPU ms");
  for (const [what, name] of [
    ["taken", "taking them in"],
    ["asked", "a week, asked on that day"],
    ["summarised", "the night after"],
    ["folded", "folding it"],
  ] as const)
    console.log(
      name.padEnd(28) + day[what].rowsRead.toLocaleString("en").padEnd(24) + day[what].cpuMs.toLocaleString("en"),
    );
  const writing = await measureWriting();
  console.log("\nRows written");
  for (const [what, rows] of Object.entries(writing)) console.log(`${what.padEnd(40)}${rows.toFixed(3)}`);
  console.log("\nA billion clicks a month, in dollars, at list prices (dollars a million):", PRICES);
  const costs = mixes(writing.databaseRowsPerLinkAskedFor).map(({ name, use }) => ({
    name,
    use,
    cost: dollars(use, 1_000),
  }));
  for (const { name, cost: parts } of costs) {
    console.log(name);
    for (const [what, cost] of Object.entries(parts)) console.log(`  ${what.padEnd(24)}${cost.toFixed(0)}`);
  }
  if (options.json !== undefined)
    writeFileSync(options.json, `${JSON.stringify({ years, day, writing, costs }, null, 2)}\n`);
} finally {
  await server.stop();
}
