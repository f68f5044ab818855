import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createJobContext } from "#src/context.ts";
import { DAY_MS } from "#src/duration.ts";
import type { MailReport } from "#src/mail-reports/contract.ts";
import { sendReports } from "#src/mail-reports/send.ts";
import { PEOPLE, takeMails, type Mail } from "../people/support.ts";
import { clickOn, consume, messageOf } from "../support/clicks.ts";
import { createPlacedAccounts, databases, holdersOf, useDatabases } from "../support/several-databases.ts";
import { actFor, makeTeam, type TeamOf } from "../teams/support.ts";
import { internet } from "../webhooks/support.ts";

/** A Thursday. */
const NOW = Date.parse("2026-11-26T10:00Z");

let team: TeamOf;
let link: { id: string; shortUrl: string };

beforeEach(async () => {
  vi.useFakeTimers({ now: NOW, toFake: ["Date"] });
  await internet.reset();
  useDatabases();
  await createPlacedAccounts();
  team = await makeTeam();
  const created = await actFor(team, team.owner, "POST", "/api/links", {
    url: "https://shop.dev/",
    slug: "spring",
    tags: ["Sale"],
  });
  link = created.body["link"] as typeof link;
});

afterEach(() => vi.useRealTimers());

async function subscribe(fields: object): Promise<MailReport> {
  const body = { frequency: "weekly", timezone: "UTC", ...fields };
  const reply = await actFor(team, team.owner, "POST", "/api/account/mail-reports", body);
  expect(reply.status).toBe(201);
  return reply.body["report"] as MailReport;
}

async function run(now: number): Promise<Mail[]> {
  await internet.forget();
  const execution = createExecutionContext();
  await sendReports(createJobContext({ ...env, ...PEOPLE }, execution, now));
  await waitOnExecutionContext(execution);
  return takeMails();
}

it("sends the clicks of an account that is not in the core, of all links, of a tag and of a link", async () => {
  expect(await holdersOf("spring")).toEqual([1]);
  const { nextAt } = await subscribe({});
  await subscribe({ tag: "sale" });
  await subscribe({ linkId: link.id });
  const account = await env.DB.prepare("SELECT id FROM accounts WHERE uuid = ?1").bind(team.id).first<{ id: number }>();
  await consume([messageOf([clickOn(link.id, account?.id ?? 0, { at: nextAt - 3 * DAY_MS })])]);
  const texts = (await run(nextAt)).map(({ text }) => text);
  expect(texts).toHaveLength(3);
  for (const text of texts) expect(text).toContain("Clicks: 1 (");
  expect(texts.filter((text) => text.includes(`Links\n${link.shortUrl}: 1`))).toHaveLength(2);
  for (const subject of ["all links", "the links with the tag “Sale”", link.shortUrl])
    expect(texts.filter((text) => text.includes(`Clicks of ${subject} in the account`))).toHaveLength(1);
});

it("ends when the link or the tag is gone from the database of the account", async () => {
  const { nextAt } = await subscribe({ tag: "sale" });
  await subscribe({ linkId: link.id });
  await actFor(team, team.owner, "DELETE", `/api/links/${link.id}`);
  expect(await run(nextAt)).toEqual([]);
  const counted = await Promise.all(
    databases().map((db) => db.prepare("SELECT count(*) AS n FROM mail_reports").first("n")),
  );
  expect(counted).toEqual([0, 0, 0]);
});
