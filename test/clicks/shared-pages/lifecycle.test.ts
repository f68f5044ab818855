import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { generateEncryptionKey } from "../../../src/platform/lib/encryption.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../src/limits.ts";
import type { Job } from "../../../src/links/tags/job-contract.ts";
import { BASE_URL, buildRequest, call, createAccount, createLink, runCron, send as sendTo } from "../../support/api.ts";
import { changeTag } from "../../links/tags/support.ts";
import { createPage, enter, send, tokenOf, view } from "./support.ts";

// What becomes of a page when its link, its tag or the operator's keys change.

const PASSWORD = "correct horse";

let account: Awaited<ReturnType<typeof createAccount>>;
beforeEach(async () => {
  account = await createAccount();
});

const api = (method: string, path: string, body?: unknown) => send(method, path, { key: account.key, body });

it("follows its link and its tag", async () => {
  const link = await createLink(account.key, { slug: "followed", tags: ["Sale"] });
  const page = await createPage(account.key, { linkId: link.id });
  const ofTag = await createPage(account.key, { tag: "sale" });
  const shortUrl = async () => (await view(page)).page.shortUrl;
  await api("PATCH", `/api/links/${link.id}`, { slug: "renamed", archived: true, disabled: true });
  expect(await shortUrl()).toBe(`${BASE_URL}/renamed`);

  // The tag's page shows the new name once all links have it.
  const change = async (method: string, tag: string, body?: unknown) => {
    const send = () => api(method, `/api/tags/${tag}`, body) as Promise<unknown> as Promise<{ job: Job }>;
    await changeTag(account.key, send);
  };
  await change("PATCH", "sale", { name: "Promotion" });
  const renamed = (await api("GET", `/api/shared-pages/${ofTag.id}`)).sharedPage;
  expect(renamed.tag).toBe("Promotion");
  expect(renamed.updatedAt).toBeGreaterThan(ofTag.updatedAt);
  expect((await view(ofTag)).page.tag).toBe("Promotion");
  await change("PATCH", "promotion", { name: "PROMOTION" });
  expect((await view(ofTag)).page.tag).toBe("PROMOTION");
  // Without links, the page shows no clicks.
  await change("DELETE", "promotion");
  expect((await view(ofTag, "/clicks")).clicks).toMatchObject({ total: 0, links: [] });

  await api("DELETE", `/api/links/${link.id}`);
  expect((await view(page)).status).toBe(404);
  await api("POST", `/api/links/${link.id}/restore`);
  expect(await shortUrl()).toBe(`${BASE_URL}/renamed`);
  // With the final deletion of the link, the page is deleted.
  await api("DELETE", `/api/links/${link.id}`);
  await runCron(Date.now() + 7 * DAY_MS);
  expect((await api("GET", `/api/shared-pages/${page.id}`)).status).toBe(200);
  await runCron(Date.now() + 7 * DAY_MS + HOUR_MS + MINUTE_MS);
  expect((await api("GET", `/api/shared-pages/${page.id}`)).status).toBe(404);
  expect((await api("GET", `/api/shared-pages/${ofTag.id}`)).status).toBe(200);
});

it("keeps token and password encrypted, and moves both to the first key when the page is used", async () => {
  const { id: linkId } = await createLink(account.key);
  const page = await createPage(account.key, { linkId, password: PASSWORD });
  const stored = () =>
    env.DB.prepare("SELECT * FROM shared_pages").first<{ token: string; password_hash: string; updated_at: number }>();
  const before = await stored();
  expect(JSON.stringify(before)).not.toMatch(new RegExp(`${tokenOf(page)}|${PASSWORD}`));
  const bindings = { ENCRYPTION_KEYS: `${generateEncryptionKey("next")},${env.ENCRYPTION_KEYS}` };
  const path = `/api/shared/${tokenOf(page)}`;
  const entered = await sendTo(buildRequest("POST", `${path}/password`, { body: { password: PASSWORD } }), bindings);
  const cookie = entered.headers.get("Set-Cookie")?.split(";")[0] ?? "";
  expect((await sendTo(buildRequest("GET", path, { headers: { Cookie: cookie } }), bindings)).status).toBe(200);
  const after = await stored();
  expect(after?.token).toMatch(/^next\./);
  expect(after?.password_hash).toMatch(/^next\./);
  expect(after?.updated_at).toBe(before?.updated_at);
  // The URL is the same, and so is the password: its cookie goes on.
  const newKeys = { ENCRYPTION_KEYS: bindings.ENCRYPTION_KEYS.split(",")[0] ?? "" };
  const read = await sendTo(buildRequest("GET", `/api/shared-pages/${page.id}`, { key: account.key }), newKeys);
  expect(await read.json()).toMatchObject({ sharedPage: { url: page.url } });
  expect((await sendTo(buildRequest("GET", path, { headers: { Cookie: cookie } }), newKeys)).status).toBe(200);
  expect((await enter(page, PASSWORD)).status).toBe(503);
  expect((await call("GET", path)).status).toBe(401);
});
