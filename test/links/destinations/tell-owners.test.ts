import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { createJobContext } from "#src/platform/context.ts";
import {
  BROKEN_MAIL_DELAY_MS,
  BROKEN_MAIL_INTERVAL_MS,
  MAX_NAMED_BROKEN_LINKS,
  NEW_LINK_SETTLE_MS,
} from "#src/links/destinations/limits.ts";
import { claimDue, recordVisits, takeInLinks } from "#src/links/destinations/store/visits.ts";
import { tellOfBrokenDestinations } from "#src/links/destinations/tell-owners.ts";
import { MINUTE_MS } from "#src/limits.ts";
import { PEOPLE, signUp, takeMails, type Browser } from "../../identity/people/support.ts";

let owner: { browser: Browser; email: string };
let now: number;

beforeEach(async () => {
  owner = await signUp();
  now = Date.now() + NEW_LINK_SETTLE_MS + 1_000;
});

async function run<Result>(task: (context: ReturnType<typeof createJobContext>) => Promise<Result>): Promise<Result> {
  const execution = createExecutionContext();
  const result = await task(createJobContext({ ...env, ...PEOPLE }, execution, now));
  await waitOnExecutionContext(execution);
  return result;
}

async function createLinks(count: number): Promise<string[]> {
  const links = Array.from({ length: count }, () => ({ url: "https://shop.dev/a" }));
  const { body } = await owner.browser.post("/api/links/bulk", { links });
  return (body["results"] as { link: { id: string } }[]).map(({ link }) => link.id);
}

/** Records visits that found all destinations that are due broken, or working again. */
async function visitAll(brokenSince: number | null): Promise<void> {
  await run(async (context) => {
    while ((await takeInLinks(context)) > 0);
    await env.DB.prepare("UPDATE destinations SET due_at = 0").run();
    const due = await claimDue(context);
    const found = { outcome: "failing", failures: 3, title: null, icon: null, host: "shop.dev", status: 404 } as const;
    const records = due.map(({ link_id: id, link }) => {
      return { id, dueAt: now, hash: link?.hash ?? 0, found: { ...found, brokenSince } };
    });
    await recordVisits(
      context,
      records,
      records.map(({ id }) => id),
    );
  });
}

/** The mails of a run of the cron, `ms` after the one before. */
async function tell(ms: number): Promise<string[]> {
  now += ms;
  await run(tellOfBrokenDestinations);
  return (await takeMails()).filter(({ to }) => to === owner.email).map(({ text }) => text);
}

it("tells owners once of all that broke in an hour, and of what breaks later a day after", async () => {
  await createLinks(MAX_NAMED_BROKEN_LINKS + 2);
  await visitAll(now);
  expect(await tell(BROKEN_MAIL_DELAY_MS - MINUTE_MS)).toEqual([]);
  const [mail = "", ...others] = await tell(2 * MINUTE_MS);
  expect(others).toEqual([]);
  expect(mail).toContain("The destinations of 12 short links of the account “Ann Lee” are broken: https://tern.test/");
  expect(mail).toContain(", 2 more.");
  expect(mail.match(/https:\/\/tern\.test\/\w+,/g)).toHaveLength(MAX_NAMED_BROKEN_LINKS);
  expect(await tell(2 * BROKEN_MAIL_INTERVAL_MS)).toEqual([]);
  await visitAll(null);
  await visitAll(now);
  await tell(BROKEN_MAIL_DELAY_MS + MINUTE_MS);
  await visitAll(null);
  await visitAll(now);
  expect(await tell(BROKEN_MAIL_INTERVAL_MS - 2 * MINUTE_MS)).toEqual([]);
  expect(await tell(2 * MINUTE_MS)).toHaveLength(1);
});

it("does not tell of links that work again, are archived or disabled, or whose owners do not want to know", async () => {
  const [first, second] = await createLinks(3);
  await owner.browser.patch(`/api/links/${first}`, { archived: true });
  await owner.browser.patch(`/api/links/${second}`, { disabled: true });
  await visitAll(now);
  await owner.browser.patch("/api/account", { brokenDestinationMails: false });
  expect(await tell(2 * BROKEN_MAIL_DELAY_MS)).toEqual([]);
  const { body } = await owner.browser.patch("/api/account", { brokenDestinationMails: true });
  expect(body["account"]).toMatchObject({ brokenDestinationMails: true });
  await visitAll(null);
  await visitAll(now);
  expect((await tell(BROKEN_MAIL_INTERVAL_MS))[0]).toContain("The destination of a short link of the account");
  await visitAll(null);
  await visitAll(now);
  await visitAll(null);
  expect(await tell(BROKEN_MAIL_INTERVAL_MS)).toEqual([]);
});

it("tells in the next mail of what broke at the moment of one", async () => {
  await createLinks(1);
  await visitAll(now);
  now += BROKEN_MAIL_DELAY_MS;
  await visitAll(null);
  await visitAll(now);
  expect(await tell(0)).toEqual([]);
  expect(await tell(BROKEN_MAIL_INTERVAL_MS)).toHaveLength(1);
});
