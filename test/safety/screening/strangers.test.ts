import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import type { Link } from "#src/links/contract.ts";
import * as memoryCache from "#src/redirect/lookup/memory-cache.ts";
import { ANONYMOUS_BURST_LINKS } from "#src/platform/rate-limit/limits.ts";
import { call, jsonOf, runCron } from "../../support/api.ts";
import { internet } from "../../webhooks/support.ts";
import { addEntries, addList, setBinding, useScreening } from "./support.ts";

// What visitors get of links without an account while screening is on.

useScreening();
beforeEach(() => internet.reset());

const MINUTE_MS = 60_000;
const DESTINATION = "https://example.com/";

async function shorten(url = DESTINATION, address?: string): Promise<Link> {
  const response = await call("POST", "/api/shorten", { body: { url }, ...(address !== undefined && { address }) });
  expect(response.status).toBe(201);
  return (await jsonOf<{ link: Link }>(response)).link;
}

async function visit({ slug }: Link): Promise<number> {
  memoryCache.clear();
  return (await call("GET", `/${slug}?next=x&utm_source=mail`, { headers: { Accept: "text/html" } })).status;
}

describe("with lists alone", () => {
  it("a link of which screening finds nothing redirects at once, as one without trust", async () => {
    await addEntries(["host evil.dev"]);
    const link = await shorten();
    expect([link.visitors, link.verdict]).toEqual(["redirect", { state: "allowed", reason: null, since: null }]);
    const { status, headers } = await call("GET", `/${link.slug}?next=x&utm_source=mail`);
    expect([status, headers.get("Location")]).toEqual([302, `${DESTINATION}?utm_source=mail`]);
  });

  it("a list file counts once it was read", async () => {
    await addList("https://lists.test/list.txt", "hosts");
    await internet.answers({ "lists.test": { body: "bad.dev\n" } });
    const before = await shorten();
    expect([before.visitors, await visit(before)]).toEqual(["preview", 200]);
    await runCron(Date.now() + MINUTE_MS);
    expect((await shorten()).visitors).toBe("redirect");
    await runCron(Date.now() + 11 * MINUTE_MS);
    expect(await visit(before)).toBe(302);
  });

  it("a suspicious address shows the destination, unless an entry allows it", async () => {
    await addEntries(["host evil.dev"]);
    const link = await shorten("https://paypa1.com/login");
    expect([link.visitors, await visit(link)]).toEqual(["preview", 200]);
    await runCron(Date.now() + MINUTE_MS);
    expect(await visit(link)).toBe(200);
    await addEntries(["host paypa1.com", "allow"]);
    expect((await shorten("https://paypa1.com/login")).visitors).toBe("redirect");
  });

  it("a blocked destination is refused", async () => {
    await addEntries(["host evil.dev"]);
    const response = await call("POST", "/api/shorten", { body: { url: "https://evil.dev/" } });
    expect(await jsonOf(response)).toMatchObject({ code: "destination_blocked", details: [{ path: "url" }] });
  });

  it("a link of a burst shows the destination all the same", async () => {
    await addEntries(["host evil.dev"]);
    for (let n = 0; n < ANONYMOUS_BURST_LINKS; n++) await shorten(DESTINATION, `198.51.100.${n}`);
    expect((await shorten(DESTINATION, `198.51.100.${ANONYMOUS_BURST_LINKS}`)).visitors).toBe("preview");
  });
});

it("without a rule and a provider nothing has looked at the destination, so visitors see it first", async () => {
  const link = await shorten();
  expect([link.visitors, await visit(link)]).toEqual(["preview", 200]);
});

it("with a provider, visitors see the destination until the cron has asked", async () => {
  await addEntries(["host evil.dev"]);
  await internet.addresses({ "example.com": ["1.2.3.4"] });
  setBinding("SCREENING", "https://blocking.test/dns-query");
  const link = await shorten();
  expect([link.visitors, await visit(link)]).toEqual(["preview", 200]);
  await runCron(Date.now() + MINUTE_MS);
  expect(await visit(link)).toBe(302);
});

it("a Screener that fails leaves the page until the cron has asked", async () => {
  await addEntries(["host evil.dev"]);
  const screener = env.SCREENER;
  Object.defineProperty(env, "SCREENER", {
    value: {
      getByName: () => ({
        screenStranger: () => Promise.reject(new Error("down")),
        watch: (...all: [string[], number]) => screener.getByName("screener").watch(...all),
      }),
    },
    configurable: true,
    writable: true,
  });
  let link: Link;
  try {
    link = await shorten();
  } finally {
    Object.defineProperty(env, "SCREENER", { value: screener, configurable: true, writable: true });
  }
  expect([link.visitors, await visit(link)]).toEqual(["preview", 200]);
  await runCron(Date.now() + MINUTE_MS);
  expect(await visit(link)).toBe(302);
});
