import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { MAX_DISMISSED_REPORTS } from "#src/safety/limits.ts";
import { stopClock } from "../../identity/people/factors.ts";
import { report } from "./form/support.ts";
import { createAccount, createLink } from "../../support/api.ts";
import { internet } from "../../webhooks/support.ts";
import { makeOperator, send } from "../support.ts";

const PATH = "/api/admin/reports/dismissals";
const UNKNOWN = "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f";

beforeEach(async () => {
  await internet.reset();
  stopClock();
  const { key } = await createAccount();
  for (const slug of ["one", "two", "three"]) await createLink(key, { slug });
});
afterEach(() => vi.useRealTimers());

const idOf = (path: string) => path.replace("/abuse/", "");
const openUrls = async () => {
  const { results } = await env.DB.prepare(
    "SELECT short_url FROM reports WHERE decided_at IS NULL ORDER BY short_url",
  ).all<{ short_url: string }>();
  return results.map(({ short_url: url }) => url);
};

it("many reports are dismissed at once, with an entry for each link, and no other ones of their links", async () => {
  const operator = await makeOperator();
  const [first, same, second] = [
    await report("tern.test/one"),
    await report("tern.test/one"),
    await report("tern.test/two"),
  ];
  await report("tern.test/one");
  await report("tern.test/three");
  const ids = [...[first, same, second].map(idOf), UNKNOWN, "x"];
  expect(await send(operator, "POST", PATH, { ids })).toMatchObject({ status: 200, body: { dismissed: 2 } });
  expect(await openUrls()).toEqual(["https://tern.test/one", "https://tern.test/three"]);
  const { entries } = (await send(operator, "GET", "/api/admin/audit")).body;
  expect(
    (entries as { action: string; subject: string }[]).filter(({ action }) => action === "report.dismiss"),
  ).toEqual(
    expect.arrayContaining(
      ["one", "two"].map((slug) => expect.objectContaining({ subject: `https://tern.test/${slug}` }) as unknown),
    ),
  );
  expect(await send(operator, "POST", PATH, { ids })).toMatchObject({ status: 200, body: { dismissed: 0 } });
  const decisions = await env.DB.prepare(
    "SELECT count(*) AS n FROM operator_entries WHERE action = 'report.dismiss'",
  ).first("n");
  expect(decisions).toBe(2);
});

it("nobody but operators dismisses reports, and a call takes a bounded number", async () => {
  const operator = await makeOperator();
  const id = idOf(await report("tern.test/one"));
  for (const ids of [[], Array.from({ length: MAX_DISMISSED_REPORTS + 1 }, () => id)])
    expect((await send(operator, "POST", PATH, { ids })).status).toBe(400);
  await env.DB.prepare("DELETE FROM operators").run();
  expect((await send(operator, "POST", PATH, { ids: [id] })).status).toBe(404);
  expect(await openUrls()).toEqual(["https://tern.test/one"]);
});
