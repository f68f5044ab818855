import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import {
  MAX_TOLD_HOSTS,
  SCREENING_HOST_INTERVAL_MS,
  SCREENING_MAIL_DELAY_MS,
  SCREENING_MAIL_INTERVAL_MS,
  SCREENING_MAIL_LEASE_MS,
  SCREENING_MAILS_PER_RUN,
} from "#src/safety/limits.ts";
import { tellOfScreening } from "#src/safety/screening/mails.ts";
import { noteFindings } from "#src/safety/screening/store/notices.ts";
import { HOUR_MS, MINUTE_MS } from "#src/limits.ts";
import { packVerdict } from "#src/redirect/verdict.ts";
import { PEOPLE, signUp, takeMails, type Browser } from "../../identity/people/support.ts";
import { jobContext, runCron } from "../../support/api.ts";
import { internet } from "../../webhooks/support.ts";
import { addEntries, useScreening } from "./support.ts";

useScreening();

let owner: { browser: Browser; email: string };
let now: number;

beforeEach(async () => {
  await internet.reset();
  owner = await signUp();
  await takeMails();
  now = Date.now();
});

async function create(url: string): Promise<string> {
  const { body } = await owner.browser.post("/api/links", { url });
  return (body["link"] as { shortUrl: string }).shortUrl;
}

/** The mails of a run of the cron, `ms` after the one before. */
async function cron(ms: number): Promise<string[]> {
  now += ms;
  await runCron(now, PEOPLE);
  return (await takeMails()).map(({ to, text }) => (to === owner.email ? text : to));
}

it("tells the owner in one mail of all links that screening blocked, with the reasons and what to do", async () => {
  const shortUrls: string[] = [];
  for (let index = 0; index < 5; index++) shortUrls.push(await create(`https://evil.dev/${index}`));
  const other = await create("https://bad.dev/");
  await create("https://example.com/");
  await addEntries(["host evil.dev"], ["host bad.dev"]);
  expect(await cron(MINUTE_MS)).toEqual([]);
  const [text = "", ...others] = await cron(SCREENING_MAIL_DELAY_MS);
  expect(others).toEqual([]);
  expect(text).not.toMatch(/(evil|bad)\.dev/);
  expect(text).toContain("short links of the account “Ann Lee” that lead to");
  expect(text).toContain(`bad[.]dev (blocked because of phishing, such as ${other})`);
  expect(shortUrls.some((url) => text.includes(`evil[.]dev (blocked because of phishing, such as ${url})`))).toBe(true);
  expect(text).toContain("answer this mail");
  expect(await cron(MINUTE_MS)).toEqual([]);
});

it("tells of the same host once a day and of others once an hour", async () => {
  const link = await create("https://evil.dev/1");
  await addEntries(["host evil.dev"], ["host bad.dev"]);
  await cron(MINUTE_MS);
  expect(await cron(SCREENING_MAIL_DELAY_MS)).toHaveLength(1);
  const toldAt = now;
  const { accountId } = (await env.DB.prepare("SELECT account_id AS accountId FROM links").first<{
    accountId: number;
  }>()) as { accountId: number };
  const note = (host: string, state: "blocked" | "warned" = "blocked") =>
    noteFindings(jobContext(now), [
      { accountId, host, verdict: packVerdict({ state, reason: "phishing", since: null }, false), shortUrl: link },
    ]);
  await note("evil.dev");
  await note("bad.dev");
  expect(await cron(SCREENING_MAIL_DELAY_MS + MINUTE_MS)).toEqual([]);
  const [second = "", ...none] = await cron(toldAt + SCREENING_MAIL_INTERVAL_MS - now);
  expect([second.includes("bad[.]dev (blocked"), second.includes("evil[.]dev"), none]).toEqual([true, false, []]);
  const [third = ""] = await cron(toldAt + SCREENING_HOST_INTERVAL_MS - now);
  expect([third.includes("bad[.]dev"), third.includes("evil[.]dev (blocked")]).toEqual([false, true]);
  await cron(2 * SCREENING_HOST_INTERVAL_MS);
  expect(await env.DB.prepare("SELECT count(*) FROM screening_notices").first("count(*)")).toBe(0);
  await note("evil.dev", "warned");
  const [warned = ""] = await cron(SCREENING_MAIL_DELAY_MS);
  expect(warned).toContain("evil[.]dev (shown with a warning because of phishing");
});

it("tells at least once: a run that dies after the decision has noted it, and one that cannot store the mail repeats it", async () => {
  await create("https://evil.dev/");
  await addEntries(["host evil.dev"]);
  await cron(MINUTE_MS);
  // Without the table of mails no mail can be stored.
  await env.DB.prepare("ALTER TABLE mails RENAME TO mails_away").run();
  now += SCREENING_MAIL_DELAY_MS;
  await tellOfScreening(jobContext(now, PEOPLE));
  await env.DB.prepare("ALTER TABLE mails_away RENAME TO mails").run();
  expect(await takeMails()).toEqual([]);
  expect(await cron(SCREENING_MAIL_LEASE_MS)).toHaveLength(1);
  expect(await cron(MINUTE_MS)).toEqual([]);
});

it("names the worst of a host, and again within a day only what is worse than the owner knows", async () => {
  const accountId = await accountIdOf();
  const note = async (state: "blocked" | "warned", reason: "phishing" | "spam", isAdvisory = false) => {
    const verdict = packVerdict({ state, reason, since: null }, false, isAdvisory);
    await noteFindings(jobContext(now), [
      { accountId, host: "evil.dev", verdict, shortUrl: `https://tern.test/${state}` },
    ]);
  };
  await note("warned", "phishing", true);
  expect(await cron(SCREENING_MAIL_DELAY_MS)).toEqual([expect.stringContaining("with a warning because of phishing")]);
  const toldAt = now;
  await note("warned", "phishing");
  await note("blocked", "spam");
  await note("warned", "phishing");
  const blocked = expect.stringContaining("blocked because of spam, such as https://tern.test/blocked)");
  expect(await cron(toldAt + SCREENING_MAIL_INTERVAL_MS - now)).toEqual([blocked]);
  const blockedAt = now;
  for (const state of ["warned", "blocked", "warned"] as const) {
    await note(state, "spam");
    expect(await cron(2 * SCREENING_MAIL_INTERVAL_MS)).toEqual([]);
  }
  expect(await cron(blockedAt + SCREENING_HOST_INTERVAL_MS - now)).toEqual([blocked]);
});

/** The internal id of the owner's account. */
async function accountIdOf(): Promise<number> {
  await create("https://example.com/");
  return (await env.DB.prepare("SELECT account_id FROM links").first<number>("account_id")) as number;
}

const VERDICT = packVerdict({ state: "blocked", reason: "phishing", since: null }, false);

/** Notices that are due, of `count` hosts or accounts. */
async function insertNotices(
  columns: "i, 'evil.dev'" | `${number}, 'evil' || i || '.dev'`,
  count: number,
  dueAt: number,
) {
  await env.DB.prepare(
    `INSERT INTO screening_notices (account_id, host, verdict, short_url, due_at)
     WITH n (i) AS (SELECT 1000001 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000 + ?1)
     SELECT ${columns}, ?2, 'https://tern.test/a', ?3 FROM n`,
  )
    .bind(count, VERDICT, dueAt)
    .run();
}

const countDue = () =>
  env.DB.prepare("SELECT count(*) FROM screening_notices WHERE due_at <= ?1").bind(now).first("count(*)");

it("tells a limited number of accounts in a run, and those that fail do not keep others out", async () => {
  await insertNotices("i, 'evil.dev'", SCREENING_MAILS_PER_RUN + 1, now - 2);
  await cron(0);
  expect(await countDue()).toBe(1);
  await cron(MINUTE_MS);
  await env.DB.prepare("DELETE FROM screening_notices").run();

  await insertNotices("i, 'evil.dev'", SCREENING_MAILS_PER_RUN, now - 2 * HOUR_MS);
  await insertNotices(`${await accountIdOf()}, 'evil' || i || '.dev'`, 1, now - 1);
  await env.DB.prepare(
    `CREATE TRIGGER notices_fail BEFORE UPDATE OF told_at ON screening_notices WHEN NEW.account_id > 1000000
     BEGIN SELECT RAISE(ABORT, 'the account fails'); END`,
  ).run();
  // A run that was scheduled long ago leases them from the present time.
  await tellOfScreening(jobContext(now - HOUR_MS, PEOPLE));
  expect(await countDue()).toBe(1);
  expect(await cron(MINUTE_MS)).toHaveLength(1);
  await env.DB.prepare("DROP TRIGGER notices_fail").run();
});

it("tells of more hosts than a mail has place for an hour later", async () => {
  await insertNotices(`${await accountIdOf()}, 'evil' || i || '.dev'`, MAX_TOLD_HOSTS + 1, now);
  expect(await cron(0)).toEqual([expect.stringContaining("at least")]);
  expect(await cron(MINUTE_MS)).toEqual([]);
  expect(await cron(SCREENING_MAIL_INTERVAL_MS - MINUTE_MS)).toEqual([expect.not.stringContaining("more hosts")]);
});

it("notes the finding before the verdict is stored", async () => {
  await create("https://evil.dev/");
  await addEntries(["host evil.dev"]);
  await env.DB.prepare(
    "CREATE TRIGGER links_fail BEFORE UPDATE OF verdict ON links BEGIN SELECT RAISE(ABORT, 'the run dies'); END",
  ).run();
  await runCron(now + MINUTE_MS, PEOPLE);
  await env.DB.prepare("DROP TRIGGER links_fail").run();
  expect(await env.DB.prepare("SELECT host FROM screening_notices").first("host")).toBe("evil.dev");
});
