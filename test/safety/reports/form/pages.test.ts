import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import * as memoryCache from "#src/redirect/lookup/memory-cache.ts";
import { packVerdict } from "#src/redirect/verdict.ts";
import { call, createAccount, createLink } from "../../../support/api.ts";
import { insertDomain } from "../../../support/domains.ts";
import { report, sendForm } from "./support.ts";

afterEach(() => vi.useRealTimers());
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const { key, accountId } = await createAccount();
  await createLink(key, { slug: "bank" });
  await insertDomain(accountId, "go.acme.test");
  await createLink(key, { slug: "bank", domain: "go.acme.test" });
});

const HEADINGS = {
  en: "Report a short link",
  de: "Einen Kurzlink melden",
  es: "Denunciar un enlace corto",
  fr: "Signaler un lien court",
  pt: "Denunciar um link curto",
  it: "Segnalare un link breve",
  ja: "短縮リンクを報告する",
  ar: "الإبلاغ عن رابط قصير",
};

it.each(Object.entries(HEADINGS))("has the form and the receipt in %s", async (language, heading) => {
  const headers = { Accept: "text/html", "Accept-Language": language };
  const path = await report("tern.test/bank");
  const pages = [
    await call("GET", "/abuse", { headers }),
    await sendForm({}, { headers }),
    await call("GET", path, { headers }),
  ];
  const texts = await Promise.all(pages.map((page) => page.text()));
  expect(texts[0]).toContain(`<html lang="${language}" dir="${language === "ar" ? "rtl" : "ltr"}">`);
  expect(texts[0]).toContain(`<h1>${heading}</h1>`);
  expect(pages.map(({ headers: sent }) => sent.get("Content-Language"))).toEqual([language, language, language]);
  for (const text of texts) expect(text).not.toMatch(/undefined|\[object|\{(wait|date)\}|Invalid Date/);
});

it("is linked from the preview, from warnings and from blocked pages, and is on the service domain", async () => {
  const own = "/abuse?url=https%3A%2F%2Ftern.test%2Fbank";
  const custom = "https://tern.test/abuse?url=https%3A%2F%2Fgo.acme.test%2Fbank";
  expect(await linkOn("/bank+?a=b")).toBe(own);
  await judge("warned");
  expect(await linkOn("https://go.acme.test/bank?a=b")).toBe(custom);
  expect(await linkOn("https://go.acme.test/bank+")).toBe(custom);
  expect(await linkOn("/bank")).toBe(own);
  await judge("blocked");
  expect(await linkOn("https://go.acme.test/bank")).toBe("https://tern.test/abuse");
  expect(await linkOn("/bank+")).toBe("/abuse");
});

it("leads from the preview of a link with a warning to the destination, and not to a second warning", async () => {
  const wayOn = async () => {
    const html = await (await call("GET", "/bank+?a=b", { headers: { Accept: "text/html" } })).text();
    return /<a class="button" href="([^"]*)"/.exec(html)?.[1];
  };
  expect(await wayOn()).toBe("/bank?a=b");
  await judge("warned");
  expect(await wayOn()).toMatch(/^https:\/\/.*a=b$/);
});

/** The address of the form on a page. */
async function linkOn(path: string): Promise<string | undefined> {
  const html = await (await call("GET", path, { headers: { Accept: "text/html" } })).text();
  return /<a href="([^"]*)" rel="nofollow">Report abuse<\/a>/.exec(html)?.[1];
}

async function judge(state: "warned" | "blocked"): Promise<void> {
  const verdict = packVerdict({ state, reason: "spam", since: 1 }, false);
  await env.DB.prepare("UPDATE links SET verdict = ?1, updated_at = updated_at + 1").bind(verdict).run();
  memoryCache.clear();
  vi.setSystemTime(Date.now() + 36_000);
}
