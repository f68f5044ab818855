import { parseArgs } from "node:util";
import { SWEEP_DELAY_MS } from "../../../src/safety/limits.ts";
import { newId } from "../../../src/platform/lib/uuid.ts";
import { callApi, createAccount } from "../../../test/e2e/support/accounts.ts";
import { createPerson, PERSONS } from "../../../test/e2e/support/fuzz-person.ts";
import type { Answer } from "../../../test/e2e/support/http.ts";
import { ORIGIN, startService, type Isolate } from "../../../test/e2e/support/service.ts";
import { describeRun } from "../result.ts";

// How long links redirect after an operator has taken them down, in two isolates with an edge cache each, while visitors open them all
// the time; and how many runs of the cron mark the links to a host. Fails if a link redirects after the bound, or gets no mark.

const { values } = parseArgs({
  options: {
    // To the host.
    links: { type: "string", default: "1000" },
    // What is taken down; by default all.
    kind: { type: "string", multiple: true, default: ["link", "host", "account", "domain"] },
  },
});

/** From the operator's call to the last redirect. */
const BOUND_MS = 35_000;
/** Visits go on for this time after each call. */
const WATCHED_MS = BOUND_MS + 10_000;
/** Between the visits of a visitor. Each isolate has two. */
const PAUSE_MS = 8;
const VISITORS = 2;
/** Widths of the table. */
const COLUMNS = [17, 10, 22, 0];

const PHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1";
const CRAWLER = "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)";
/** A takedown, and one after a legal order. */
const DOWN: ReadonlySet<number> = new Set([410, 451]);
/** In all that visitors see of a destination. */
const MARK = "stolen-cards";

/** The ways to a destination. `suffix` is behind the slug. */
const WAYS: Record<string, { fields?: (url: string) => object; headers?: Record<string, string>; suffix?: string }> = {
  "its destination": {},
  expiredUrl: { fields: (url) => ({ expiresAt: Date.now() + 86_400_000, expiredUrl: url }) },
  "preview card": { fields: () => ({ preview: { title: MARK } }), headers: { "User-Agent": CRAWLER } },
  "301": { fields: () => ({ redirectStatus: 301 }) },
  password: { fields: () => ({ password: MARK }) },
  rules: { fields: (url) => ({ rules: [{ devices: ["mobile"], url }] }), headers: { "User-Agent": PHONE } },
  app: { fields: (url) => ({ ios: url }), headers: { "User-Agent": PHONE } },
  "destination page": { suffix: "+" },
};

interface Visited {
  group: string;
  way: string;
  path: string;
  headers: Record<string, string>;
}

/** Whether the visitor gets to the destination, or learns of it. */
function isOpen({ status, headers, text }: Answer, way: string): boolean {
  return headers["location"] !== undefined || text.includes(MARK) || (way === "password" && !DOWN.has(status));
}

const service = await startService({ here: "one", there: "two" }, { variables: PERSONS, productionTimes: true });
const isolates: readonly Isolate[] = Object.values(service.isolates);
const [here] = isolates as [Isolate];
/** When each of them was open last, and closed last, by isolate and path; and the statuses of closed ones. */
const seen = { open: new Map<string, number>(), closed: new Map<string, number>(), statuses: new Set<number>() };
const keyOf = (isolate: Isolate, { group, way }: Visited) => `${isolate.name} ${group} ${way}`;

async function makeLinks(group: string, key: string, url: string, domain?: string): Promise<Visited[]> {
  const ways = Object.entries(WAYS);
  const links = ways.map(([, { fields }], n) => ({
    url,
    slug: `${group}-${n}`,
    ...(domain !== undefined && { domain }),
    ...fields?.(url),
  }));
  const answer = await callApi(here, key, "POST", "/api/links/bulk", { links });
  const { results } = answer.json() as { results: object[] };
  if (answer.status >= 300 || results.some((result) => !("link" in result))) throw new Error(answer.text);
  const host: Record<string, string> = domain === undefined ? {} : { Host: domain };
  return ways.map(([way, { headers, suffix = "" }], n) => ({
    group,
    way,
    path: `/${group}-${n}${suffix}`,
    headers: { ...headers, ...host },
  }));
}

async function visitAll(
  isolate: Isolate,
  visits: readonly Visited[],
  first: number,
  isRunning: () => boolean,
): Promise<number> {
  let done = 0;
  for (let next = first; isRunning(); next++) {
    const visit = visits[next % visits.length];
    if (visit === undefined) break;
    const answer = await isolate.get(visit.path, visit.headers).catch(() => null);
    // The service has stopped.
    if (answer === null) break;
    const key = keyOf(isolate, visit);
    if (isOpen(answer, visit.way)) seen.open.set(key, performance.now());
    else {
      seen.closed.set(key, performance.now());
      seen.statuses.add(answer.status);
    }
    done++;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  return done;
}

let isRunning = true;
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

try {
  const { accountId: team } = await createAccount(service.db);
  const operator = await createPerson(service.db, "operator@example.com", team);
  await service.db.batch([
    service.db.prepare("INSERT INTO operators VALUES (?1, 0)").bind(operator.userId),
    service.db.prepare("UPDATE sessions SET factor_at = ?2 WHERE user_id = ?1").bind(operator.userId, Date.now()),
  ]);
  const act = async (method: string, path: string, body?: object): Promise<Answer> => {
    const headers = { Cookie: `__Host-tern=${operator.token}`, Origin: ORIGIN, "Content-Type": "application/json" };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await here.request(method, path, { headers, ...sent });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer;
  };

  const create = () => createAccount(service.db);
  const [ofLinks, ofHost, ofAccount, ofDomain] = [await create(), await create(), await create(), await create()];
  const domain = "go.cards.dev";
  await service.db
    .prepare(
      `INSERT INTO domains (id, account_id, domain, token, status, created_at, updated_at) VALUES (?1, ?2, ?3, '', 'verified', 0, 0)`,
    )
    .bind(newId(Date.now()), ofDomain.accountId, domain)
    .run();
  const url = `https://shop.dev/${MARK}`;
  const groups: Record<string, Visited[]> = {
    link: await makeLinks("link", ofLinks.key, url),
    host: await makeLinks("host", ofHost.key, `https://evil.dev/${MARK}`),
    account: await makeLinks("account", ofAccount.key, url),
    domain: await makeLinks("domain", ofDomain.key, url, domain),
  };
  // The rest of the links to the host.
  await service.db
    .prepare(
      `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?2)
       INSERT INTO links (id, account_id, domain, slug, url, status, redirect_status, created_at, updated_at)
       SELECT printf('00000000-0000-7000-8000-%012x', n), ?1, '', 'more-' || n, 'https://evil.dev/' || n, 'active', 302, 0, 0 FROM numbers`,
    )
    .bind(ofHost.accountId, Number(values.links))
    .run();
  const uuid = await service.db
    .prepare("SELECT uuid FROM accounts WHERE id = ?1")
    .bind(ofAccount.accountId)
    .first("uuid");

  const all = Object.values(groups).flat();
  const started = performance.now();
  const visitors = isolates.flatMap((isolate) =>
    Array.from({ length: VISITORS }, (_, n) => visitAll(isolate, all, (n * all.length) / VISITORS, () => isRunning)),
  );
  // All of them are in the caches.
  await wait(3_000);
  const closedBefore = seen.closed.size;
  if (closedBefore > 0) throw new Error(`not open: ${[...seen.closed.keys()].join(", ")}`);

  const targets: [group: string, values: string[]][] = [
    ["link", Object.keys(WAYS).map((_, n) => `${ORIGIN}/link-${n}`)],
    ["host", ["evil.dev"]],
    ["account", [String(uuid)]],
    ["domain", [domain]],
  ];
  console.log("takedown of a    isolate   last redirect after   all redirect again after");
  for (const [kind, targetValues] of targets.filter(([each]) => values.kind.includes(each))) {
    const from = performance.now();
    const ids: string[] = [];
    for (const value of targetValues) {
      const answer = await act("POST", "/api/admin/takedowns", {
        kind,
        value,
        reason: "phishing",
        legal: kind === "domain",
      });
      ids.push((answer.json() as { takedown: { id: string } }).takedown.id);
    }
    await wait(WATCHED_MS);
    const last = (times: Map<string, number>, isolate: Isolate) =>
      Math.max(...(groups[kind] ?? []).map((visit) => times.get(keyOf(isolate, visit)) ?? 0));
    const openFor = new Map(isolates.map((isolate) => [isolate, last(seen.open, isolate) - from]));
    const back = performance.now();
    for (const id of ids) await act("DELETE", `/api/admin/takedowns/${id}`);
    await wait(WATCHED_MS);
    for (const isolate of isolates) {
      const times = [openFor.get(isolate) ?? Number.NaN, last(seen.closed, isolate) - back];
      const texts = [kind, isolate.name, ...times.map((ms) => `${(Math.max(0, ms) / 1_000).toFixed(1)} s`)];
      console.log(texts.map((text, column) => text.padEnd(COLUMNS[column] ?? 0)).join(""));
      if (times.some((ms) => ms > BOUND_MS)) process.exitCode = 1;
    }
  }
  isRunning = false;
  const visitedFor = performance.now() - started;
  await act("POST", "/api/admin/takedowns", { kind: "host", value: "evil.dev", reason: "phishing" });
  await service.db.prepare("UPDATE takedowns SET created_at = created_at - ?1").bind(SWEEP_DELAY_MS).run();
  const [sweptFrom, hasSweeps] = [performance.now(), service.db.prepare("SELECT 1 FROM host_sweeps")];
  let runs = 0;
  for (; (await hasSweeps.first()) !== null; runs++) await service.cron("here");
  const sweptFor = ((performance.now() - sweptFrom) / 1_000).toFixed(1);
  const marked = await service.db
    .prepare("SELECT count(*) FROM links WHERE host_takedowns IS NOT NULL")
    .first("count(*)");
  console.log(
    `\nThe links to the host, ${String(marked)}, were marked in ${runs} runs of the cron, which took ${sweptFor} s.`,
  );
  if (marked !== Number(values.links) + Object.keys(WAYS).length) process.exitCode = 1;
  const visits = (await Promise.all(visitors)).reduce((sum, each) => sum + each, 0);
  const perSecond = visits / isolates.length / (visitedFor / 1_000);
  const { date, machine } = describeRun();
  console.log(
    `\n${date.slice(0, 10)}, ${machine.cores} cores: ${perSecond.toFixed(0)} visits a second in each isolate, of ${all.length} links.`,
  );
  console.log(`Answers while links were down: ${[...seen.statuses].join(", ")}.`);
} finally {
  isRunning = false;
  await service.stop();
}
