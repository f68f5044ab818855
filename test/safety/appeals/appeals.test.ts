import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import * as memoryCache from "#src/redirect/lookup/memory-cache.ts";
import { SWEEP_DELAY_MS } from "#src/safety/limits.ts";
import { stopClock } from "../../identity/people/factors.ts";
import { signUp, takeMails } from "../../identity/people/support.ts";
import type { AppealedTakedown } from "#src/safety/appeals/contract.ts";
import { call, createAccount, createLink, runCron } from "../../support/api.ts";
import { measureD1 } from "../../support/d1-meter.ts";
import { insertManyLinks } from "../../support/many-links.ts";
import { internet } from "../../webhooks/support.ts";
import { makeOperator, send, takeDown } from "../support.ts";

beforeEach(async () => {
  await internet.reset();
  stopClock();
});
afterEach(() => vi.useRealTimers());

const STATEMENT = "The bank ordered this page.";

async function arrange() {
  const [operator, owner] = [await makeOperator(), await signUp()];
  expect((await owner.browser.post("/api/links", { url: "https://bad.example/", slug: "bank" })).status).toBe(201);
  const { id } = await takeDown(operator, { kind: "link", value: "tern.test/bank", statement: "It is one." });
  await takeMails();
  return { operator, owner, id, appealPath: `/api/account/takedowns/${id}/appeal` };
}

it("an owner sees what was taken down, and appeals once", async () => {
  const { operator, owner, id, appealPath } = await arrange();
  const listOwn = async () => (await owner.browser.get("/api/account/takedowns")).body["takedowns"] as object[];
  const [own] = await listOwn();
  const takedown = { id, kind: "link", reason: "phishing", statement: "It is one.", createdBy: null };
  expect(own).toMatchObject({ takedown, appeal: null });
  const made = await owner.browser.post(appealPath, { statement: STATEMENT });
  expect([made.status, made.body]).toMatchObject([201, { appeal: { statement: STATEMENT, decision: null } }]);
  expect((await owner.browser.post(appealPath, { statement: STATEMENT })).body.code).toBe("conflict");
  expect(await listOwn()).toMatchObject([{ appeal: { statement: STATEMENT } }]);
  expect((await takeMails()).map(({ to, subject }) => [to, subject])).toEqual([
    [operator.email, "Reports wait for a decision"],
  ]);
  const { appeals } = (await send(operator, "GET", "/api/admin/appeals")).body;
  expect(appeals).toMatchObject([{ appeal: { statement: STATEMENT }, takedown: { id, createdBy: "Ann Lee" } }]);
});

it("nobody appeals for another account, or against a takedown that is reversed", async () => {
  const { operator, owner, id, appealPath } = await arrange();
  const other = await signUp();
  expect((await other.browser.get("/api/account/takedowns")).body["takedowns"]).toEqual([]);
  expect((await other.browser.post(appealPath, { statement: STATEMENT })).status).toBe(404);
  await send(operator, "DELETE", `/api/admin/takedowns/${id}`);
  expect((await owner.browser.post(appealPath, { statement: STATEMENT })).body.code).toBe("conflict");
});

it.each([
  ["reverse", "reversed", 302, "is no longer taken down"],
  ["uphold", "upheld", 410, "stays taken down"],
] as const)("an operator decides to %s, and the owner is told once", async (action, decision, status, text) => {
  const { operator, owner, id, appealPath } = await arrange();
  const { appeal } = (await owner.browser.post(appealPath, { statement: STATEMENT })).body;
  await takeMails();
  const path = `/api/admin/appeals/${(appeal as { id: string }).id}/decision`;
  const decided = await send(operator, "POST", path, { action, answer: "The bank was asked." });
  expect([decided.status, decided.body]).toMatchObject([200, { appeal: { decision, answer: "The bank was asked." } }]);
  expect((await send(operator, "POST", path, { action })).body.code).toBe("conflict");
  memoryCache.clear();
  expect((await call("GET", "/bank")).status).toBe(status);
  const mails = await takeMails();
  expect(mails.map(({ to, subject }) => [to, subject])).toEqual([[owner.email, "Your appeal was decided"]]);
  expect(mails[0]?.text).toContain(`https://tern.test/bank ${text}. The bank was asked.`);
  const { entries } = (await send(operator, "GET", "/api/admin/audit")).body;
  expect(entries).toContainEqual(
    expect.objectContaining({ action: `appeal.${action}`, subject: "https://tern.test/bank" }),
  );
  expect((await send(operator, "GET", "/api/admin/appeals")).body["appeals"]).toEqual([]);
  const listed = (await send(operator, "GET", "/api/admin/appeals?state=decided")).body["appeals"];
  expect(listed).toMatchObject([{ appeal: { decision }, takedown: { id } }]);
  expect((await owner.browser.get("/api/account/takedowns")).body["takedowns"]).toMatchObject([
    { appeal: { decision } },
  ]);
});

it("is not upheld after its takedown was reversed", async () => {
  const { operator, owner, id, appealPath } = await arrange();
  const { appeal } = (await owner.browser.post(appealPath, { statement: STATEMENT })).body;
  const path = `/api/admin/appeals/${(appeal as { id: string }).id}/decision`;
  await send(operator, "DELETE", `/api/admin/takedowns/${id}`);
  expect((await send(operator, "POST", path, { action: "uphold" })).body.code).toBe("conflict");
  expect((await send(operator, "POST", path, { action: "reverse" })).status).toBe(200);
});

it("an account that is taken down as a whole can appeal too", async () => {
  const [operator, owner] = [await makeOperator(), await signUp()];
  const account = (await owner.browser.get("/api/account")).body["account"] as { id: string };
  const { id } = await takeDown(operator, { kind: "account", value: account.id, reason: "spam" });
  const { key } = await createAccount();
  await createLink(key, { slug: "foreign" });
  const made = await owner.browser.post(`/api/account/takedowns/${id}/appeal`, { statement: STATEMENT });
  expect(made.status).toBe(201);
});

it("an owner finds what keeps visitors from one link", async () => {
  const { operator, owner, id } = await arrange();
  const ofLink = async (linkId: string, browser = owner.browser) =>
    ((await browser.get(`/api/account/takedowns?linkId=${linkId}`)).body["takedowns"] as AppealedTakedown[]).map(
      ({ takedown }) => [takedown.kind, takedown.value],
    );
  const link = async (slug: string, url: string) => {
    const { status, body } = await owner.browser.post("/api/links", { url, slug });
    expect(status).toBe(201);
    return (body["link"] as { id: string }).id;
  };
  const { links } = (await owner.browser.get("/api/links")).body;
  const bank = (links as { id: string }[])[0]?.id ?? "";
  const other = await link("other", "https://good.example/");
  const ofHost = await link("of-host", "https://a.evil.dev/");
  expect(await ofLink(bank)).toEqual([["link", "https://tern.test/bank"]]);
  expect(await ofLink(bank.toUpperCase())).toEqual([["link", "https://tern.test/bank"]]);
  await takeDown(operator, { kind: "host", value: "evil.dev" });
  await runCron(Date.now() + SWEEP_DELAY_MS);
  expect(await ofLink(ofHost)).toEqual([["host", "evil.dev"]]);
  expect([await ofLink(other), await ofLink("no-id")]).toEqual([[], []]);
  await send(operator, "DELETE", `/api/admin/takedowns/${id}`);
  expect(await ofLink(bank)).toEqual([]);
  const { accounts } = (await owner.browser.get("/api/auth/session")).body;
  const accountId = (accounts as { id: string }[])[0]?.id ?? "";
  await takeDown(operator, { kind: "account", value: accountId });
  expect(await ofLink(other)).toEqual([["account", accountId]]);
  expect(await ofLink(other, (await signUp()).browser)).toEqual([]);
  await insertManyLinks(env.DB, null, 500);
  const { rowsRead } = await measureD1(() => ofLink(other));
  expect(rowsRead).toBeLessThan(100);
});
