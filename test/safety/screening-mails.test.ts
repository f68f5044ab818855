import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { SCREENING_HOST_INTERVAL_MS, SCREENING_MAIL_DELAY_MS, SCREENING_MAIL_INTERVAL_MS } from "#src/admin/limits.ts";
import { tellOfScreening } from "#src/admin/screening-mails.ts";
import { noteFindings } from "#src/admin/store/screening-notices.ts";
import { MINUTE_MS } from "#src/duration.ts";
import { packVerdict } from "#src/safety/verdict.ts";
import { PEOPLE, signUp, takeMails, type Browser } from "../people/support.ts";
import { jobContext, runCron } from "../support/api.ts";
import { internet } from "../webhooks/support.ts";
import { addEntries, useScreening } from "./screening.ts";

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
  expect(text).toContain("short links of the account “Ann Lee” that lead to");
  expect(text).toContain(`bad.dev (blocked because of phishing, such as ${other})`);
  expect(shortUrls.some((url) => text.includes(`evil.dev (blocked because of phishing, such as ${url})`))).toBe(true);
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
  expect([second.includes("bad.dev (blocked"), second.includes("evil.dev"), none]).toEqual([true, false, []]);
  const [third = ""] = await cron(toldAt + SCREENING_HOST_INTERVAL_MS - now);
  expect([third.includes("bad.dev"), third.includes("evil.dev (blocked")]).toEqual([false, true]);
  await cron(2 * SCREENING_HOST_INTERVAL_MS);
  expect(await env.DB.prepare("SELECT count(*) FROM screening_notices").first("count(*)")).toBe(0);
  await note("evil.dev", "warned");
  const [warned = ""] = await cron(SCREENING_MAIL_DELAY_MS);
  expect(warned).toContain("evil.dev (shown with a warning because of phishing");
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
  expect(await cron(MINUTE_MS)).toHaveLength(1);
  expect(await cron(MINUTE_MS)).toEqual([]);
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
