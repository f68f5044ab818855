import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { OPERATOR_MAIL_INTERVAL_MS } from "#src/safety/reports/form/limits.ts";
import { SWEEP_DELAY_MS } from "#src/safety/limits.ts";
import * as memoryCache from "#src/redirect/lookup/memory-cache.ts";
import { stopClock } from "../../identity/people/factors.ts";
import { PEOPLE, signUp, takeMails, type Browser } from "../../identity/people/support.ts";
import { report, sendForm, REPORT } from "./form/support.ts";
import { call, createAccount, createLink, runCron } from "../../support/api.ts";
import { measureD1 } from "../../support/d1-meter.ts";
import { insertDomain } from "../../support/domains.ts";
import { internet } from "../../webhooks/support.ts";
import { makeOperator, send, takeDown } from "../support.ts";

beforeEach(async () => {
  await internet.reset();
  stopClock();
});
afterEach(() => vi.useRealTimers());

interface Listed {
  id: string;
  shortUrl: string;
  openReports: number;
  decision: string | null;
}

async function list(operator: { browser: Browser }, state = "open"): Promise<Listed[]> {
  const { status, body } = await send(operator, "GET", `/api/admin/reports?state=${state}`);
  expect([status, body]).toMatchObject([200, {}]);
  return body["reports"] as Listed[];
}

async function decide(operator: { browser: Browser }, path: string, body: object) {
  const reply = await send(operator, "POST", `/api/admin/reports/${path.replace("/abuse/", "")}/decision`, body);
  memoryCache.clear();
  return reply;
}

const receipt = async (path: string) => (await call("GET", path)).text();

it("lists open reports with where the link leads, and a dismissal settles all of the link", async () => {
  const operator = await makeOperator();
  const { key } = await createAccount();
  await createLink(key, { slug: "bank", url: "https://bad.example/", password: "correct horse" });
  await createLink(key, { slug: "other" });
  const first = await report("tern.test/bank", { name: "Ann" });
  // Ids of one millisecond are in any order.
  vi.setSystemTime(Date.now() + 1);
  const second = await report("tern.test/bank");
  vi.setSystemTime(Date.now() + 1);
  const other = await report("tern.test/other");
  const open = await list(operator);
  expect(open.map(({ shortUrl, openReports }) => [shortUrl, openReports])).toEqual([
    ["https://tern.test/bank", 2],
    ["https://tern.test/bank", 2],
    ["https://tern.test/other", 1],
  ]);
  expect(open[0]).toMatchObject({
    destination: "https://bad.example/",
    reason: "phishing",
    details: REPORT.details,
    reporter: { name: "Ann", email: null },
    accountId: expect.any(String),
    accountName: "test",
    domain: null,
    decision: null,
  });
  const decided = await decide(operator, second, { action: "dismiss" });
  expect(decided.body["report"]).toMatchObject({ decision: "dismissed", decidedAt: Date.now(), openReports: 0 });
  expect((await decide(operator, first, { action: "dismiss" })).body.code).toBe("conflict");
  for (const path of [first, second]) expect(await receipt(path)).toContain("it stays as it is");
  expect(await receipt(other)).toContain("Nobody has decided");
  expect(await list(operator)).toMatchObject([{ shortUrl: "https://tern.test/other" }]);
  expect(await list(operator, "decided")).toHaveLength(2);
  expect((await call("GET", "/other")).status).toBe(302);
});

it.each(["link", "account", "domain"])("takes down the %s, with entries, and the receipts say so", async (kind) => {
  const operator = await makeOperator();
  const { key, accountId } = await createAccount();
  await insertDomain(accountId, "go.acme.test");
  await createLink(key, { slug: "one", domain: "go.acme.test" });
  await createLink(key, { slug: "two", domain: "go.acme.test" });
  await createLink(key, { slug: "three" });
  const [one, two] = [await report("go.acme.test/one"), await report("go.acme.test/two")];
  const three = await report("tern.test/three");
  const reply = await decide(operator, one, { action: "take_down", kind, reason: "phishing", statement: "It is one." });
  expect([reply.status, reply.body]).toMatchObject([200, { report: { decision: "taken_down" } }]);
  vi.setSystemTime(Date.now() + 36_000);
  expect((await call("GET", "https://go.acme.test/one")).status).toBe(410);
  const texts = await Promise.all([one, two, three].map(receipt));
  const settled = texts.map((text) => text.includes("the link was blocked"));
  expect(settled).toEqual([true, kind !== "link", kind === "account"]);
  const { entries } = (await send(operator, "GET", "/api/admin/audit")).body;
  const details = { reportId: one.replace("/abuse/", ""), reason: "phishing", scope: kind };
  const entry = { action: "report.take_down", subject: "https://go.acme.test/one", details };
  expect(entries).toEqual(
    expect.arrayContaining([
      expect.objectContaining(entry),
      expect.objectContaining({ action: "takedown.create", operator: { id: operator.userId, name: "Ann Lee" } }),
    ]),
  );
  expect((await send(operator, "GET", "/api/admin/takedowns")).body["takedowns"]).toMatchObject([
    { kind, reason: "phishing", statement: "It is one." },
  ]);
});

describe("a takedown from elsewhere", () => {
  let tests = 0;
  // The edge cache keeps versions of the links of earlier tests, which have the same slugs.
  beforeEach(() => vi.setSystemTime(Date.now() + ++tests * 60_000));

  const PLACES = ["go.acme.test/one", "go.acme.test/two", "tern.test/three", "tern.test/four", "tern.test/five"];

  /** Links at the places, the last one of another account, and a report of each. */
  async function reportLinks() {
    const other = await createAccount();
    const { key, accountId } = await createAccount();
    await insertDomain(accountId, "go.acme.test");
    const { id } = await createLink(key, { slug: "one", domain: "go.acme.test", url: "https://evil.dev/" });
    await createLink(key, { slug: "two", domain: "go.acme.test", ios: "https://m.evil.dev/" });
    await createLink(key, { slug: "three", url: "https://evil.dev/" });
    await createLink(key, { slug: "four" });
    await createLink(other.key, { slug: "five" });
    const paths: string[] = [];
    for (const place of PLACES) paths.push(await report(place));
    const uuid = await env.DB.prepare("SELECT uuid FROM accounts WHERE id = ?1").bind(accountId).first<string>("uuid");
    return { paths, accountId, values: { link: id, domain: "go.acme.test", host: "evil.dev", account: uuid } };
  }

  it.each([
    ["link", 1],
    ["domain", 2],
    ["host", 3],
    ["account", 4],
  ] as const)("of the %s decides the open reports of its links and no others", async (kind, count) => {
    const operator = await makeOperator();
    const { paths, values } = await reportLinks();
    await decide(operator, paths[0] ?? "", { action: "dismiss" });
    paths[0] = await report(PLACES[0] ?? "");
    const { id } = await takeDown(operator, { kind, value: values[kind] });
    // The links to a host are found by the cron.
    if (kind === "host") await runCron(Date.now() + SWEEP_DELAY_MS);
    const blocked = async () =>
      (await Promise.all(paths.map(receipt))).map((text) => text.includes("the link was blocked"));
    const expected = paths.map((_, index) => index < count);
    expect(await blocked()).toEqual(expected);
    expect(await list(operator)).toHaveLength(paths.length - count);
    const decisions = (await list(operator, "decided")).map(({ decision }) => decision);
    expect(new Set(decisions)).toEqual(new Set(["dismissed", "taken_down"]));
    // A reversal does not open them again.
    expect((await send(operator, "DELETE", `/api/admin/takedowns/${id}`)).status).toBe(200);
    expect(await blocked()).toEqual(expected);
  });

  it("decides reports that arrived before all copies were read again, if it is repeated", async () => {
    const operator = await makeOperator();
    const { paths, values } = await reportLinks();
    await takeDown(operator, { kind: "link", value: values.link });
    await env.DB.prepare("UPDATE reports SET decision = NULL, decided_at = NULL").run();
    await takeDown(operator, { kind: "link", value: values.link });
    expect(await receipt(paths[0] ?? "")).toContain("the link was blocked");
    expect(await receipt(paths[1] ?? "")).toContain("Nobody has decided");
  });

  it.each([
    [
      "another one",
      (operator: { browser: Browser }, link: string) => takeDown(operator, { kind: "link", value: link }),
    ],
    [
      "one by a report",
      async (operator: { browser: Browser }, _: string, path: string) => {
        const reply = await decide(operator, path, { action: "take_down", kind: "link", reason: "phishing" });
        expect([200, 409]).toContain(reply.status);
      },
    ],
  ])("and %s at the same time decide a report once", async (_, takeDownToo) => {
    const operator = await makeOperator();
    const { paths, values } = await reportLinks();
    const [path = ""] = paths;
    await Promise.all([
      takeDown(operator, { kind: "link", value: values.link }),
      takeDownToo(operator, values.link, path),
    ]);
    expect(await receipt(path)).toContain("the link was blocked");
    expect(await list(operator, "decided")).toMatchObject([{ decision: "taken_down" }]);
    const { entries } = (await send(operator, "GET", "/api/admin/audit")).body;
    const actions = (entries as { action: string }[]).map(({ action }) => action);
    expect(actions.filter((action) => action === "takedown.create")).toHaveLength(1);
  });

  it.each(["link", "domain", "account"] as const)("of the %s reads only open reports", async (kind) => {
    const operator = await makeOperator();
    const { accountId, values } = await reportLinks();
    await env.DB.prepare(
      `INSERT INTO reports SELECT 'old-' || value, ?1, ?2, 'go.acme.test', 'x', 'spam', NULL, NULL, NULL, 1, 'dismissed', 1, NULL
       FROM json_each(?3)`,
    )
      .bind(values.link, accountId, JSON.stringify([...Array(300).keys()]))
      .run();
    const { rowsRead } = await measureD1(
      () => takeDown(operator, { kind, value: values[kind] }),
      (sql) => sql.includes("INSERT INTO takedowns"),
    );
    expect(rowsRead).toBeLessThan(60);
  });
});

it("keeps a report open if there is nothing to take down", async () => {
  const operator = await makeOperator();
  const created = await call("POST", "/api/shorten", { body: { url: "https://bad.example/" } });
  const { shortUrl } = (await created.json<{ link: { shortUrl: string } }>()).link;
  const path = await report(shortUrl);
  for (const kind of ["account", "domain"])
    expect((await decide(operator, path, { action: "take_down", kind, reason: "spam" })).status).toBe(400);
  expect((await decide(operator, path, { action: "take_down" })).status).toBe(400);
  expect((await decide(operator, "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f", { action: "dismiss" })).status).toBe(404);
  await env.DB.prepare("DELETE FROM links").run();
  expect((await decide(operator, path, { action: "take_down", kind: "link", reason: "spam" })).status).toBe(404);
  expect(await list(operator)).toMatchObject([{ destination: null, accountId: null, accountName: null }]);
  expect((await decide(operator, path, { action: "dismiss" })).status).toBe(200);
});

it("is decided once of two decisions at the same time, with one record", async () => {
  const operator = await makeOperator();
  const { key } = await createAccount();
  await createLink(key, { slug: "bank" });
  const path = await report("tern.test/bank");
  const take = { action: "take_down", kind: "link", reason: "spam" };
  const replies = await Promise.all([decide(operator, path, { action: "dismiss" }), decide(operator, path, take)]);
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  const { entries } = (await send(operator, "GET", "/api/admin/audit")).body;
  expect((entries as { action: string }[]).filter(({ action }) => action.startsWith("report."))).toHaveLength(1);
});

it("tells each operator by mail, at most once an hour, and of reports in between at its end", async () => {
  const operators = [await makeOperator(), await makeOperator()];
  await signUp();
  const { key } = await createAccount();
  await createLink(key, { slug: "bank" });
  await takeMails();
  const sendReport = () => sendForm({ ...REPORT, url: "tern.test/bank" }, {}, PEOPLE);
  const told = async () => (await takeMails()).map(({ to, subject }) => `${to}: ${subject}`).sort();
  const everybody = operators.map(({ email }) => `${email}: Reports wait for a decision`).sort();
  expect((await sendReport()).status).toBe(303);
  expect(await told()).toEqual(everybody);
  vi.setSystemTime(Date.now() + 1_000);
  await sendReport();
  await sendReport();
  expect(await told()).toEqual([]);
  const queued: unknown[] = [];
  const DELIVERIES = { send: (message: unknown) => Promise.resolve(queued.push(message)) } as unknown as Queue;
  const hour = Date.now() - 1_000 + OPERATOR_MAIL_INTERVAL_MS;
  await runCron(hour - 1, { ...PEOPLE, DELIVERIES });
  expect(queued).toEqual([]);
  await runCron(hour, { ...PEOPLE, DELIVERIES });
  expect(queued).toMatchObject([{ kind: "mail" }, { kind: "mail" }]);
});
