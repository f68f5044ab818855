import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { TAKEDOWN_MAIL_LEASE_MS } from "#src/safety/limits.ts";
import { noteAccounts } from "#src/safety/takedowns/store/sweep.ts";
import { tellOwners } from "#src/safety/takedowns/tell-owners.ts";
import { stopClock } from "../../identity/people/factors.ts";
import { PEOPLE, signUp, takeMails } from "../../identity/people/support.ts";
import { jobContext, runCron } from "../../support/api.ts";
import { internet } from "../../webhooks/support.ts";
import { makeOperator, send, takeDown } from "../support.ts";

beforeEach(() => internet.reset());
afterEach(() => vi.useRealTimers());

it("tells nobody of a takedown that was reversed while its owners were being told", async () => {
  stopClock();
  const operator = await makeOperator();
  const ann = await signUp();
  await ann.browser.post("/api/links", { url: "https://example.com/" });
  const accountId = (await env.DB.prepare("SELECT account_id FROM links").first("account_id")) as number;
  const { id } = await takeDown(operator, { kind: "host", value: "evil.dev" });
  await noteAccounts(env.DB, id, [accountId], Date.now());
  expect((await send(operator, "DELETE", `/api/admin/takedowns/${id}`)).status).toBe(200);
  await takeMails();
  await tellOwners(jobContext(Date.now(), PEOPLE), { accountId, takedownId: id });
  const told = "SELECT count(*) FROM mails WHERE kind = 'taken_down'";
  expect(await env.DB.prepare(told).first("count(*)")).toBe(0);
  const due = "SELECT count(*) FROM takedown_accounts WHERE due_at IS NOT NULL";
  expect(await env.DB.prepare(due).first("count(*)")).toBe(0);
});

/** A link that was taken down, with an appeal. */
async function takenDown() {
  stopClock();
  const [operator, owner] = [await makeOperator(), await signUp()];
  await owner.browser.post("/api/links", { url: "https://bad.example/", slug: "bank" });
  const { id } = await takeDown(operator, { kind: "link", value: "tern.test/bank" });
  const { body } = await owner.browser.post(`/api/account/takedowns/${id}/appeal`, { statement: "It is ours." });
  await takeMails();
  const appeal = `/api/admin/appeals/${(body["appeal"] as { id: string }).id}/decision`;
  return { operator, owner, reversal: `/api/admin/takedowns/${id}`, appeal };
}

/** Leaves the database as a call does that died before its mails. */
async function withoutMails(run: () => Promise<unknown>): Promise<void> {
  await env.DB.prepare("CREATE TRIGGER die BEFORE INSERT ON mails BEGIN SELECT RAISE(ABORT, 'died'); END").run();
  await run();
  await env.DB.prepare("DROP TRIGGER die").run();
  expect(await takeMails()).toEqual([]);
}

const subjectsOf = async () => (await takeMails()).map(({ to, subject, text }) => [to, subject, text]);

it("tells owners of a reversal whose call died before their mail, once", async () => {
  const { operator, owner, reversal } = await takenDown();
  await withoutMails(() => send(operator, "DELETE", reversal));
  await runCron(Date.now() + 1, PEOPLE);
  const told = expect.stringContaining("https://tern.test/bank is no longer taken down.");
  expect(await subjectsOf()).toEqual([[owner.email, "A takedown was reversed", told]]);
  await runCron(Date.now() + TAKEDOWN_MAIL_LEASE_MS + 2, PEOPLE);
  expect(await takeMails()).toEqual([]);
});

it.each([
  ["uphold", "stays taken down. We looked."],
  ["reverse", "is no longer taken down. We looked."],
])("tells owners of a decided appeal (%s) whose call died before their mail, once", async (action, text) => {
  const { operator, owner, appeal } = await takenDown();
  await withoutMails(() => send(operator, "POST", appeal, { action, answer: "We looked." }));
  await runCron(Date.now() + 1, PEOPLE);
  expect(await subjectsOf()).toEqual([[owner.email, "Your appeal was decided", expect.stringContaining(text)]]);
  await runCron(Date.now() + TAKEDOWN_MAIL_LEASE_MS + 2, PEOPLE);
  expect(await takeMails()).toEqual([]);
});

it("tells owners of the reversal of a takedown whose appeal was rejected", async () => {
  const { operator, owner, appeal, reversal } = await takenDown();
  await send(operator, "POST", appeal, { action: "uphold" });
  await takeMails();
  await send(operator, "DELETE", reversal);
  expect(await subjectsOf()).toMatchObject([[owner.email, "A takedown was reversed", expect.anything()]]);
});
