import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createJobContext } from "#src/platform/context.ts";
import { DAY_MS, HOUR_MS } from "#src/limits.ts";
import type { MailReport } from "#src/clicks/mail-reports/contract.ts";
import { MAX_OWN_MAIL_REPORTS } from "#src/clicks/mail-reports/limits.ts";
import { sendMailReports } from "#src/clicks/mail-reports/send.ts";
import { MAIL_API_URL, PEOPLE } from "../../identity/people/support.ts";
import { createAccount, send } from "../../support/api.ts";
import { clickOn, consume, messageOf } from "../../support/clicks.ts";
import { internet } from "../../webhooks/support.ts";
import { actFor, join, makeTeam, type Person, type TeamOf } from "../../identity/teams/support.ts";

const PATH = "/api/account/mail-reports";
const WEEKLY = { frequency: "weekly", timezone: "Europe/Berlin" };

interface Sent {
  to: [string];
  subject: string;
  text: string;
  html: string;
  headers: Record<string, string>;
}

let team: TeamOf;
let viewer: Person;

/** A Thursday: clicks of the week before are not too old to be stored on that day. */
const NOW = Date.parse("2026-11-26T10:00Z");

beforeEach(async () => {
  vi.useFakeTimers({ now: NOW, toFake: ["Date"] });
  await internet.reset();
  await env.DB.prepare("DELETE FROM mail_reports").run();
  team = await makeTeam();
  viewer = await join(team, "viewer");
});

afterEach(() => vi.useRealTimers());

const ask = (person: Person, method: string, path = "", body?: object) =>
  actFor(team, person, method, `${PATH}${path}`, body);

async function subscribe(person: Person, fields: object = {}): Promise<MailReport> {
  const { status, body } = await ask(person, "POST", "", { ...WEEKLY, ...fields });
  expect([status, body]).toEqual([201, body]);
  return body["report"] as MailReport;
}

const listOf = async (person: Person) => (await ask(person, "GET")).body["reports"] as MailReport[];

async function makeLink(fields: object = {}): Promise<{ id: string; shortUrl: string; accountId: number }> {
  const { body } = await actFor(team, team.owner, "POST", "/api/links", { url: "https://shop.dev/", ...fields });
  const account = await env.DB.prepare("SELECT id FROM accounts WHERE uuid = ?1").bind(team.id).first<{ id: number }>();
  return { ...(body["link"] as { id: string; shortUrl: string }), accountId: account?.id ?? 0 };
}

/** A run of the cron at the time. Returns the reports that it sent. */
async function run(now: number, bindings: object = {}): Promise<Sent[]> {
  await internet.forget();
  const execution = createExecutionContext();
  await sendMailReports(createJobContext({ ...env, ...PEOPLE, ...bindings }, execution, now));
  await waitOnExecutionContext(execution);
  const received = await internet.received();
  return received.filter(({ url }) => url === MAIL_API_URL).map(({ body }) => JSON.parse(body) as Sent);
}

const stopUrlOf = ({ text }: Sent): string => /Stop these mails: (\S+)/.exec(text)?.[1] ?? "";

it("sends the clicks of the week, once, to the person who asked", async () => {
  const link = await makeLink({ tags: ["Sale"] });
  const { nextAt } = await subscribe(viewer, { tag: "sale" });
  const inPeriod = nextAt - 3 * DAY_MS;
  await consume([
    messageOf([clickOn(link.id, link.accountId, { at: inPeriod, country: "DE", referrer: "https://news.example/" })]),
    messageOf([clickOn(link.id, link.accountId, { at: inPeriod + 1, country: "DE", referrer: "" })]),
    messageOf([clickOn(link.id, link.accountId, { at: inPeriod - 7 * DAY_MS, country: "FR", referrer: "" })]),
    messageOf([clickOn(link.id, link.accountId, { at: nextAt - HOUR_MS, country: "FR", referrer: "" })]),
  ]);
  expect(await run(nextAt - 1)).toEqual([]);
  const [mail, ...others] = await run(nextAt);
  expect(others).toEqual([]);
  expect([mail?.to, mail?.subject]).toEqual([[viewer.email], "Your weekly report of clicks"]);
  expect(mail?.text).toContain("Clicks of the links with the tag “Sale” in the account “Acme”");
  expect(mail?.text).toContain("Clicks: 2 (+100 %, 1 in the period before)");
  expect(mail?.text).toContain(`Links\n${link.shortUrl}: 2`);
  expect(mail?.text).toContain("Countries\nGermany: 2");
  expect(mail?.text).toContain("news.example: 1");
  expect(mail?.html).toContain("<p>Countries<br>Germany: 2</p>");
  expect(await run(nextAt + HOUR_MS)).toEqual([]);
  const [report] = await listOf(viewer);
  expect(report?.nextAt).toBe(nextAt + 7 * DAY_MS);
});

it("is in the language of the person", async () => {
  const link = await makeLink({ tags: ["Sale"] });
  const { nextAt } = await subscribe(viewer, { tag: "sale" });
  await viewer.browser.patch("/api/auth/user", { language: "de" });
  await consume([
    messageOf([clickOn(link.id, link.accountId, { at: nextAt - 3 * DAY_MS, country: "DE", referrer: "" })]),
  ]);
  const [mail] = await run(nextAt);
  expect(mail?.subject).toBe("Ihr wöchentlicher Bericht über Klicks");
  expect(mail?.text).toContain("Klicks von den Links mit dem Tag „Sale“ im Konto „Acme“");
  expect(mail?.text).toContain("Klicks: 1 (0 im Zeitraum davor)");
  expect(mail?.text).toContain("Länder\nDeutschland: 1");
  expect(mail?.text).toContain("Referrer\ndirekt: 1");
  expect(mail?.text).toMatch(/Diese E-Mails beenden: \S+/);
});

it("stores a mail once, although two runs have claimed the report", async () => {
  const { nextAt } = await subscribe(viewer);
  const claimAgain = () => env.DB.prepare("UPDATE mail_reports SET due_at = report_at").run();
  let isClaimed = false;
  const DB = new Proxy(env.DB, {
    get(target, name) {
      const value = Reflect.get(target, name) as unknown;
      if (name !== "batch") return typeof value === "function" ? value.bind(target) : value;
      return async (statements: D1PreparedStatement[]) => {
        if (!isClaimed) {
          isClaimed = true;
          await claimAgain();
          await sendMailReports(createJobContext({ ...env, ...PEOPLE }, createExecutionContext(), nextAt));
        }
        return target.batch(statements);
      };
    },
  });
  await run(nextAt, { DB });
  expect(isClaimed).toBe(true);
  const mails = await env.DB.prepare("SELECT id FROM mails WHERE kind = 'weekly_report' AND recipient = ?1")
    .bind(viewer.email)
    .all();
  expect(mails.results).toHaveLength(1);
});

it("ends by a POST to the signed URL without a session, and not by a GET", async () => {
  const { nextAt } = await subscribe(viewer);
  const [mail] = await run(nextAt);
  if (mail === undefined) throw new Error("no mail");
  const url = stopUrlOf(mail);
  expect(mail.headers).toEqual({
    "List-Unsubscribe": `<${url}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  });
  const pageOf = async (language: string) => {
    const page = await send(new Request(url, { headers: { "Accept-Language": language } }), PEOPLE);
    return { status: page.status, language: page.headers.get("Content-Language"), html: await page.text() };
  };
  expect(await pageOf("en")).toMatchObject({ status: 200, html: expect.stringContaining('<form method="post">') });
  expect(await pageOf("de-AT")).toMatchObject({ language: "de", html: expect.stringContaining("Bericht beenden") });
  expect(await listOf(viewer)).toHaveLength(1);
  const post = (address: string, headers: object = {}) =>
    send(
      new Request(address, {
        method: "POST",
        headers: { "Content-Type": "application/x-www-form-urlencoded", ...headers },
        body: "List-Unsubscribe=One-Click",
      }),
      PEOPLE,
    );
  const broken = url.replace(/(\w)$/, (last) => (last === "A" ? "B" : "A")).replace(/token=./, "token=f");
  expect((await post(broken)).status).toBe(400);
  expect((await post(`${url}x`.replace(/\.[^.]*$/, ".x"))).status).toBe(400);
  for (const page of [await send(new Request(broken), PEOPLE), await post(broken, { Accept: "text/html" })]) {
    expect(page.status).toBe(400);
    expect(await page.text()).toContain("This URL is not complete");
  }
  expect(await listOf(viewer)).toHaveLength(1);
  expect((await post(url)).status).toBe(200);
  expect(await listOf(viewer)).toEqual([]);
  expect(await (await post(url, { Accept: "text/html", Origin: "null" })).text()).toContain("The report is stopped");
});

it("does not end with an API key, as no path of sessions takes one", async () => {
  const { nextAt } = await subscribe(viewer);
  const [mail] = await run(nextAt);
  const { key } = await createAccount();
  for (const method of ["GET", "POST"]) {
    const headers = { Authorization: `Bearer ${key}` };
    const response = await send(new Request(stopUrlOf(mail as Sent), { method, headers }), PEOPLE);
    expect([response.status, await response.json()]).toMatchObject([401, { code: "unauthorized" }]);
  }
  expect(await listOf(viewer)).toHaveLength(1);
});

it("ends when the person leaves, and when the link or the tag is gone", async () => {
  const link = await makeLink({ tags: ["sale"] });
  await subscribe(team.owner, { linkId: link.id });
  await subscribe(team.owner, { tag: "sale" });
  const leaver = await join(team, "member");
  const { nextAt } = await subscribe(leaver);
  await env.DB.prepare("DELETE FROM memberships WHERE user_id = ?1 AND role = 'member'").bind(leaver.userId).run();
  await actFor(team, team.owner, "DELETE", `/api/links/${link.id}`);
  expect(await run(nextAt)).toEqual([]);
  const { results } = await env.DB.prepare("SELECT id FROM mail_reports").all();
  expect(results).toEqual([]);
});

it("sends nothing without mail or for an account that is disabled", async () => {
  const { nextAt } = await subscribe(viewer);
  expect(await run(nextAt, { MAIL_API_TOKEN: "" })).toEqual([]);
  await env.DB.prepare("UPDATE accounts SET disabled_at = 1 WHERE uuid = ?1").bind(team.id).run();
  expect(await run(nextAt)).toEqual([]);
  await env.DB.prepare("UPDATE accounts SET disabled_at = NULL WHERE uuid = ?1").bind(team.id).run();
  expect(await run(nextAt + 7 * DAY_MS)).toHaveLength(1);
  const headers = { "X-Account-Id": team.id };
  const options = { body: { ...WEEKLY, frequency: "monthly" }, headers, bindings: { MAIL_API_TOKEN: "" } };
  expect((await viewer.browser.send("POST", PATH, options)).status).toBe(503);
});

it("sends later what an address has no room for", async () => {
  const links = await Promise.all(Array.from({ length: 4 }, () => makeLink()));
  let due = 0;
  for (const { id } of links) due = (await subscribe(viewer, { linkId: id })).nextAt;
  expect(await run(due)).toHaveLength(3);
  expect(await run(due + HOUR_MS / 2)).toEqual([]);
  expect(await run(due + HOUR_MS)).toHaveLength(1);
});

it("is tried again for a day if it fails, and then left out", async () => {
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  const { nextAt } = await subscribe(viewer);
  const failing = { CLICK_LOG: { getByName: () => expect.fail("unavailable") } };
  const next = async () => (await listOf(viewer))[0]?.nextAt;
  for (const later of [0, HOUR_MS, DAY_MS - 1]) {
    expect(await run(nextAt + later, failing)).toEqual([]);
    expect(await next()).toBe(nextAt);
  }
  expect(await run(nextAt + DAY_MS + HOUR_MS, failing)).toEqual([]);
  expect(await next()).toBe(nextAt + 7 * DAY_MS);
  expect(await run(nextAt + 7 * DAY_MS)).toHaveLength(1);
});

it("is the person's own: others do not see, change or delete it", async () => {
  const report = await subscribe(viewer);
  expect(report).toMatchObject({ ...WEEKLY, linkId: null, tag: null });
  expect(await listOf(viewer)).toEqual([report]);
  expect(await listOf(team.owner)).toEqual([]);
  for (const [method, body] of [["PATCH", { frequency: "monthly" }], ["DELETE"]] as const)
    expect((await ask(team.owner, method, `/${report.id}`, body)).status).toBe(404);
  const changed = await ask(viewer, "PATCH", `/${report.id}`, { frequency: "monthly", timezone: "UTC" });
  expect(changed.body["report"]).toMatchObject({ id: report.id, frequency: "monthly", timezone: "UTC" });
  await subscribe(viewer);
  expect((await ask(viewer, "PATCH", `/${report.id}`, { frequency: "weekly" })).status).toBe(409);
  expect((await ask(viewer, "DELETE", `/${report.id}`)).status).toBe(200);
  expect(await listOf(viewer)).toHaveLength(1);
});

it("refuses what it cannot report, and more than the maximum", async () => {
  const post = async (fields: object) => (await ask(viewer, "POST", "", { ...WEEKLY, ...fields })).status;
  const { id } = await makeLink({ tags: ["sale"] });
  expect(await post({ tag: "none" })).toBe(400);
  expect(await post({ timezone: "Mars/Olympus" })).toBe(400);
  expect(await post({ linkId: id, tag: "sale" })).toBe(400);
  expect(await post({ linkId: "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f" })).toBe(404);
  await subscribe(viewer);
  expect(await post({})).toBe(409);
  await env.DB.prepare(
    `INSERT INTO mail_reports SELECT mail_reports.id || value, account_id, user_id, frequency, timezone, value, NULL, '', report_at, due_at, 0
     FROM mail_reports, json_each(?1)`,
  )
    .bind(JSON.stringify(Array.from({ length: MAX_OWN_MAIL_REPORTS - 2 }, (_, n) => `l${n}`)))
    .run();
  expect(await post({ tag: "sale" })).toBe(201);
  expect(await ask(viewer, "POST", "", { ...WEEKLY, linkId: id })).toMatchObject({
    status: 409,
    body: { code: "limit_reached" },
  });
});
