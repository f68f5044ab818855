import { parseArgs } from "node:util";
import { encode } from "jpeg-js";
import { MAX_BULK_LINKS } from "../../../src/links/limits.ts";
import { MAX_QR_LOGO_PIXELS } from "../../../src/qr/limits.ts";
import { table } from "../report.ts";
import { createFilled, type Account, type Ask } from "./account.ts";
import { accept, create, isAccepted, makeCall, refusalOf } from "./calls.ts";
import { fillAccount } from "./fill.ts";
import { randomText } from "./largest.ts";
import { ISOLATES, startIsolates, type Profiles } from "./isolates.ts";
import { describeCall } from "./report.ts";
import { CALLS } from "./requests.ts";

// How long the isolate of redirects computes for the largest call of each operation.

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    links: { type: "string", default: "10000" },
    clicks: { type: "string", default: "200000" },
    functions: { type: "boolean", default: false },
  },
});
const wanted = values.only?.split(",") ?? [""];
const isWanted = (name: string) => wanted.some((part) => name.includes(part));
const started = performance.now();
const tell = (text: string) => console.error(`${Math.round((performance.now() - started) / 1_000)} s: ${text}`);

/** Whatever else runs on the machine makes a profile longer, so the shortest of these counts. */
const MEASURED = 3;
const SHOWN_FUNCTIONS = 12;

const get = (path: string): Ask => ({ method: "GET", path });
const ask = (method: string, path: string, body: object): Ask => ({ method, path, body: JSON.stringify(body) });
const BULK = "/api/links/bulk";
const YEAR = "interval=1y&compare=previous&bucket=day&weekHours=true";
const side = Math.sqrt(MAX_QR_LOGO_PIXELS);
const jpeg = encode({ width: side, height: side, data: Buffer.alloc(4 * side * side, 128) }, 10).data;
const STYLE = { dots: "round", corners: "circle", frameText: "SCAN ME", content: randomText(380), level: "H" };
const LOGO = { ...STYLE, logo: `data:image/jpeg;base64,${Buffer.from(jpeg).toString("base64")}` };
const CHANGES = { url: `https://example.com/${randomText(8_000)}`, title: randomText(200) };

/** A hundred of the largest links: one by one, because not all of them fit in one body. */
async function createLargestLinks(account: Account): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < MAX_BULK_LINKS) ids.push((await create(account, "POST /api/links")).id);
  return ids;
}

async function findLinks({ ask: send }: Account): Promise<string[]> {
  return (await send<{ id: string }[]>(get("/api/links?limit=100&search=www.shop"))).map(({ id }) => id);
}

/** Calls that compute longer than those that are made from their contracts, and bulk calls of ordinary links. */
const MORE: Record<string, (account: Account) => Promise<Ask> | Ask> = {
  [`POST ${BULK} (wrong values)`]: () =>
    ask("POST", BULK, { links: Array.from({ length: 100 }, () => ({ url: 1, tags: Array(1_950).fill(0) })) }),
  [`PATCH ${BULK} (largest links)`]: async (account) =>
    ask("PATCH", BULK, { ids: await createLargestLinks(account), changes: CHANGES }),
  [`DELETE ${BULK} (largest links)`]: async (account) =>
    ask("DELETE", BULK, { ids: await createLargestLinks(account) }),
  "GET /api/links (largest links)": async (account) => {
    await createLargestLinks(account);
    return get("/api/links?limit=100");
  },
  [`POST ${BULK} (ordinary links)`]: () =>
    ask("POST", BULK, {
      links: Array.from({ length: 100 }, (_, n) => ({ url: `https://example.com/${n}`, title: "a" })),
    }),
  [`PATCH ${BULK} (ordinary links)`]: async (account) =>
    ask("PATCH", BULK, { ids: await findLinks(account), changes: { url: "https://example.com/" } }),
  [`DELETE ${BULK} (ordinary links)`]: async (account) => ask("DELETE", BULK, { ids: await findLinks(account) }),
  "GET /api/clicks (a year)": () => get(`/api/clicks?${YEAR}`),
  "GET /api/links/:id/clicks (a year)": ({ busyLink }) => get(`/api/links/${busyLink}/clicks?${YEAR}`),
  "GET /api/clicks/records (CSV)": () => get("/api/clicks/records?format=csv&bots=include&start=2012-01-01"),
  "DELETE /api/domains/:id (with links)": async ({ server, customDomain }) => {
    const id = await server.db
      .prepare("SELECT id FROM domains WHERE domain = ?1")
      .bind(customDomain)
      .first<string>("id");
    return { method: "DELETE", path: `/api/domains/${id}?force=true` };
  },
  "POST /api/qr (PNG, logo)": () => ask("POST", "/api/qr", { ...LOGO, format: "png", size: 2_048 }),
  "POST /api/qr (PNG, style)": () => ask("POST", "/api/qr", { ...STYLE, format: "png", size: 2_048 }),
  "POST /api/qr (PDF, logo)": () => ask("POST", "/api/qr", { ...LOGO, format: "pdf", sizeMm: 1_000 }),
  "POST /api/qr (SVG, logo)": () => ask("POST", "/api/qr", { ...LOGO, format: "svg" }),
  "POST /api/qr (PNG, longest text)": () =>
    ask("POST", "/api/qr", { format: "png", level: "L", size: 2_048, content: "ü".repeat(1_470) }),
};

const { server, profile } = await startIsolates();
const rows: string[][] = [];
try {
  const account = await createFilled(server, { links: Number(values.links), clicks: Number(values.clicks) });
  await fillAccount(account);
  tell("the account is filled");
  for (const call of CALLS.filter(({ operation }) => isWanted(operation))) {
    const make = () => makeCall(account, call);
    await accept(account, call, make)
      .then(() => measure(account, call.operation, make))
      .catch((error: unknown) => tell(`${call.operation}: ${String(error).slice(0, 300)}`));
  }
  for (const [name, make] of Object.entries(MORE).filter(([name]) => isWanted(name)))
    await measure(account, name, async () => {
      await server.db.batch(account.restore);
      return make(account);
    }).catch((error: unknown) => tell(`${name}: ${String(error).slice(0, 300)}`));
  if (isWanted("the cron")) await measure(account, "the cron", () => null);
} finally {
  await server.stop();
}
console.log(table(["operation", "the request", ...ISOLATES], rows));

async function measure(account: Account, name: string, make: () => Promise<Ask> | Ask | null): Promise<void> {
  const all: Profiles[] = [];
  let made: Ask | null = null;
  for (let n = 0; n < MEASURED; n++) {
    const sent = (made = await make());
    all.push(
      await profile(async () => {
        if (sent === null) return server.control({ cron: true });
        const answer = await account.send(sent);
        if (!isAccepted(answer)) throw refusalOf(sent, answer);
        return answer;
      }),
    );
  }
  const least = ISOLATES.map((isolate) => all.map((each) => each[isolate]).sort((a, b) => a.cpuMs - b.cpuMs)[0]);
  const times = least.map((each) => `${(each?.cpuMs ?? 0).toFixed(0)} ms`);
  rows.push([`\`${name}\``, made === null ? "" : describeCall(made), ...times]);
  tell(`${name}: ${times.join(", ")}`);
  if (!values.functions) return;
  const longest = least.toSorted((a, b) => (b?.cpuMs ?? 0) - (a?.cpuMs ?? 0))[0];
  const functions = [...(longest?.selfMs ?? [])].sort(([, a], [, b]) => b - a).slice(0, SHOWN_FUNCTIONS);
  for (const [label, ms] of functions) tell(`    ${ms.toFixed(1)} ms ${label}`);
}
