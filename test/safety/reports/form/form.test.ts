import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  MAX_DETAILS_CHARS,
  MAX_OPEN_REPORTS_OF_LINK,
  MAX_REPORT_FORM_BYTES,
  REPORTS_PER_CLIENT,
} from "#src/safety/reports/form/limits.ts";
import * as memoryCache from "#src/redirect/lookup/memory-cache.ts";
import { packVerdict } from "#src/redirect/verdict.ts";
import { call, createAccount, createLink } from "../../../support/api.ts";
import { insertDomain } from "../../../support/domains.ts";
import { report, REPORT, sendForm } from "./support.ts";

let accountId: number;
let linkId: string;
afterEach(() => vi.useRealTimers());
beforeEach(async () => {
  let key: string;
  ({ key, accountId } = await createAccount());
  ({ id: linkId } = await createLink(key, { slug: "bank" }));
  await insertDomain(accountId, "go.acme.test");
  await createLink(key, { slug: "bank", domain: "go.acme.test" });
});

const stored = async () => (await env.DB.prepare("SELECT * FROM reports").all()).results;

it("stores what a visitor reports, and shows a receipt without what was written", async () => {
  const details = "It asks\r\nfor \u202epasswords\u0007.";
  const path = await report("tern.test/bank+", { details, name: " Ann ", email: "ann@example.com" });
  const [row] = await stored();
  expect(row).toMatchObject({ link_id: linkId, account_id: accountId, domain: "", decided_at: null, name: "Ann" });
  expect(row).toMatchObject({ short_url: "https://tern.test/bank", reason: "phishing", email: "ann@example.com" });
  expect(row?.["details"]).toBe("It asks\nfor passwords.");
  expect(path).toBe(`/abuse/${String(row?.["id"])}`);
  const receipt = await call("GET", path);
  expect([receipt.status, receipt.headers.get("Cache-Control")]).toEqual([200, "no-store"]);
  const html = await receipt.text();
  expect(html).toContain("https://tern.test/bank");
  expect(html).toContain("Nobody has decided about it yet.");
  expect(html).not.toMatch(/Ann|example\.com|passwords\./);
  expect((await call("GET", "/abuse/01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f")).status).toBe(404);
  expect((await call("GET", "/abuse/x/y")).status).toBe(404);
});

it("stores no name and no address with a report of child abuse", async () => {
  await report("https://tern.test/bank", { reason: "child_abuse", name: "Ann", email: "ann@example.com" });
  expect(await stored()).toMatchObject([{ reason: "child_abuse", name: null, email: null }]);
});

it("takes links of custom domains, and has the form on the service domain only", async () => {
  await report("https://GO.acme.test/bank/");
  expect(await stored()).toMatchObject([{ domain: "go.acme.test", short_url: "https://go.acme.test/bank" }]);
  expect((await call("GET", "https://go.acme.test/abuse")).status).toBe(404);
});

it("takes a short URL with what stood beside it in a mail", async () => {
  await report("<https://tern.test/bank>.");
  expect(await stored()).toMatchObject([{ link_id: linkId, short_url: "https://tern.test/bank" }]);
});

it("has a form without a script, which shows the link that is named in the URL", async () => {
  const response = await call("GET", "/abuse?url=https%3A%2F%2Ftern.test%2F%22%3Ex");
  const html = await response.text();
  expect(html).toContain('value="https://tern.test/&quot;&gt;x"');
  expect(html).not.toContain("<script");
  expect(response.headers.get("Content-Security-Policy")).not.toMatch(/script-src|form-action 'none'/);
  // With no-referrer, browsers would send the form with Origin: null.
  expect(response.headers.get("Referrer-Policy")).toBe("same-origin");
  expect(await (await call("HEAD", "/abuse/")).text()).toBe("");
  expect((await call("PUT", "/abuse")).headers.get("Allow")).toBe("GET, HEAD, POST");
});

describe("the form is refused", () => {
  it.each([
    [{ url: "" }, "url", "This is missing."],
    [{ url: "tern.test/nothing" }, "url", "There is no short link"],
    [{ url: "ftp://tern.test/bank" }, "url", "There is no short link"],
    [{ url: "https://tern.test/" }, "url", "There is no short link"],
    [{ url: `tern.test/${"x".repeat(1_000)}` }, "url", "This is too long."],
    [{ reason: "fun" }, "reason", "This is missing."],
    [{ details: "x".repeat(MAX_DETAILS_CHARS + 1) }, "details", "This is too long."],
    [{ email: "ann" }, "email", "This is not an email address."],
    [{ goodFaith: "" }, "goodFaith", "Please confirm this."],
  ])("with %o, and the field says why", async (fields, name, text) => {
    const response = await sendForm({ url: "tern.test/bank", ...REPORT, details: "<b>seen</b>", ...fields });
    expect(response.status).toBe(400);
    const html = await response.text();
    expect(html).toMatch(
      new RegExp(`id="${name}" name="${name}" aria-invalid="true" aria-describedby="${name}-error"`),
    );
    expect(html).toContain(`id="${name}-error">${text}`);
    if (!("details" in fields)) expect(html).toContain("&lt;b&gt;seen&lt;/b&gt;</textarea>");
    expect(await stored()).toEqual([]);
  });

  it.each([
    [{ Origin: "https://evil.example" }, 403],
    [{ Origin: "null" }, 403],
    [{ Origin: "https://tern.test", "Content-Type": "text/plain" }, 415],
  ])("with the headers %o by %i", async (headers, status) => {
    expect((await sendForm({ url: "tern.test/bank", ...REPORT }, { headers })).status).toBe(status);
    expect(await stored()).toEqual([]);
  });

  it("if it is too large", async () => {
    const response = await sendForm({ url: "tern.test/bank", ...REPORT, more: "x".repeat(MAX_REPORT_FORM_BYTES) });
    expect(response.status).toBe(413);
  });

  it("after too many reports of one client, which keeps what was typed", async () => {
    const address = "192.0.2.44";
    const fields = { url: "tern.test/bank", ...REPORT };
    const { key } = await createAccount();
    for (let count = 0; count < REPORTS_PER_CLIENT; count++) {
      const { slug } = await createLink(key);
      expect((await sendForm({ ...fields, url: `tern.test/${slug}` }, { address })).status).toBe(303);
    }
    const refused = await sendForm(fields, { address });
    expect([refused.status, Number(refused.headers.get("Retry-After"))]).toEqual([429, expect.any(Number)]);
    expect(await refused.text()).toContain("It asks for a password.</textarea>");
    expect(await stored()).toHaveLength(REPORTS_PER_CLIENT);
  });
});

it("stores a bounded number of open reports of a link", async () => {
  for (let count = 0; count < MAX_OPEN_REPORTS_OF_LINK; count++) await report("tern.test/bank");
  const response = await sendForm({ url: "tern.test/bank", ...REPORT });
  expect(response.status).toBe(200);
  expect(await response.text()).toContain("This link was reported already");
  expect(await stored()).toHaveLength(MAX_OPEN_REPORTS_OF_LINK);
  await report("go.acme.test/bank");
  await env.DB.prepare("UPDATE reports SET decided_at = 1, decision = 'dismissed' WHERE link_id = ?1")
    .bind(linkId)
    .run();
  expect(await (await call("GET", await report("tern.test/bank"))).text()).toContain("Nobody has decided");
});

it("does not store reports of links that are blocked", async () => {
  const verdict = packVerdict({ state: "blocked", reason: "phishing", since: 1 }, false);
  await env.DB.prepare("UPDATE links SET verdict = ?1").bind(verdict).run();
  memoryCache.clear();
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 36_000 });
  const response = await sendForm({ url: "go.acme.test/bank", ...REPORT });
  expect([response.status, await response.text()]).toEqual([200, expect.stringContaining("is blocked already")]);
  expect(await stored()).toEqual([]);
});
