import { beforeEach, describe, expect, it, vi } from "vitest";
import { UNKNOWN_SLUGS_PER_CLIENT } from "../../src/redirect/limits.ts";
import * as memoryCache from "../../src/redirect/lookup/memory-cache.ts";
import { parseStrayPath } from "../../src/redirect/stray-characters.ts";
import { freshAddress } from "../support/address.ts";
import { accountId, call, createLink, key, startAccount, takeSentClicks } from "../support/api.ts";
import { clicksIn } from "../support/clicks.ts";
import { measureD1 } from "../support/d1-meter.ts";
import { createLinkAt, insertDomain } from "../support/domains.ts";

const HOST = "go.acme.test";
const AT = `https://${HOST}`;
const DESTINATION = "https://example.com/land?a=1#top";

beforeEach(startAccount);

async function answerAt(path: string): Promise<string | number> {
  const response = await call("GET", path);
  return response.headers.get("Location") ?? response.status;
}

const createSale = (fields: Record<string, unknown> = {}) =>
  createLink(key, { slug: "sale26", url: DESTINATION, ...fields });

describe("a short URL between other characters", () => {
  it.each(
    [
      "/sale26. /sale26, /sale26; /sale26: /sale26' /sale26%22 /sale26] /sale26* /sale26! /sale26%E2%80%9D",
      "/sale26%E3%80%82 /sale26%20 /sale26%C2%A0 /sale26%0A /sale26). /sale26... //sale26 ///sale26//",
      "/+sale26 /%20sale26 /%E2%80%8Bsale26 /%22sale26%22 /(SALE26), /sale26/. /sale26/, /sale26%3E /%3Csale26%3E",
      "/sale26%E2%80%A6 /sale26%EF%BC%89 /sale26%F0%9F%8E%89 /sale26查看 /sale26%2F /sale26%00 /sale26%",
      "/sale26%E2%80 /sale26%ff /sale26& /sale26&amp; /sale26&gt; /sale26%23top",
    ].flatMap((paths) => paths.split(" ")),
  )("is found at %s", async (path) => {
    await createSale();
    expect(await answerAt(path)).toBe(DESTINATION);
    expect(await answerAt(path)).toBe(DESTINATION);
  });

  it.each([
    ["/sale26.?utm_source=x", "utm_source=x"],
    ["/sale26&utm_source=mail", "utm_source=mail"],
    ["/sale26&utm_source=mail&a=2&b=%C3%A9", "utm_source=mail&b=%C3%A9"],
    ["/sale26&amp;utm_source=a&amp;utm_medium=b", "utm_source=a&utm_medium=b"],
    ["/sale26%3Futm_source=mail", "utm_source=mail"],
    ["/sale26/&utm_source=mail?utm_medium=b", "utm_source=mail&utm_medium=b"],
  ])("hands on the parameters of %s", async (path, added) => {
    await createSale();
    expect(await answerAt(path)).toBe(`https://example.com/land?a=1&${added}#top`);
  });

  it.each(["/sale26+.", "/sale26+).", "/sale26.+", "/%20sale26+", "/sale26++"])("is a preview at %s", async (path) => {
    await createSale();
    const response = await call("GET", path);
    expect([response.status, response.headers.get("Location")]).toEqual([200, null]);
    expect(await response.text()).toContain("https://example.com");
  });

  it.each([
    "/sale26.html",
    "/sale26@evil.example",
    "/sale26%00a",
    "/..;",
    "/.sale26",
    "/%20",
    "/a.sale26",
    "/sale26./more",
    "/unknown.",
  ])("is a 404 at %s", async (path) => {
    await createSale();
    expect(await answerAt(path)).toBe(404);
  });

  it("leads to no page of the service", async () => {
    for (const path of ["/app.", "/docs,", "/%20api", "/visits.", "/%22abuse"]) expect(await answerAt(path)).toBe(404);
  });

  it("counts the click of the link", async () => {
    const { id } = await createSale();
    takeSentClicks();
    await answerAt("/sale26.");
    expect(takeSentClicks().flatMap(clicksIn)).toMatchObject([{ 1: id }]);
  });

  it("uses a visit of a limited link, which ends as at its short URL", async () => {
    await createSale({ maxClicks: 2 });
    for (const answer of [DESTINATION, DESTINATION, 410]) expect(await answerAt("/sale26.")).toBe(answer);
  });

  it("leads to the form for a password", async () => {
    await createSale({ password: "open sesame" });
    expect(await answerAt("/sale26.?b=1")).toBe("/sale26?b=1");
  });
});

describe("on a custom domain", () => {
  const create = (slug: string) => createLinkAt(HOST, key, { slug, url: `https://example.com/${slug}` });

  it("is found too, and no orphan visit", async () => {
    await insertDomain(accountId, HOST);
    await create("sale26");
    for (const path of ["/sale26.", "//sale26", "/sale26&utm=1"]) expect(await answerAt(AT + path)).toMatch(/sale26/);
    expect(await answerAt(`${AT}/sale26/more.`)).toBe(404);
  });

  it("changes nothing where unknown paths have a page", async () => {
    await insertDomain(accountId, HOST, { not_found_url: "https://acme.test/none" });
    await create("sale26");
    expect(await answerAt(`${AT}/sale26.`)).toBe("https://acme.test/none");
  });

  it("comes after forwarded paths", async () => {
    await insertDomain(accountId, HOST, { path_forwarding: 1 });
    await create("docs");
    expect(await answerAt(`${AT}/docs/x.`)).toBe("https://example.com/docs/x.");
    for (const path of ["/docs.", "//docs", "/docs)/"])
      expect(await answerAt(AT + path)).toBe("https://example.com/docs");
    expect(await answerAt(`${AT}/docs./x`)).toBe(404);
  });

  it("comes after nested slugs, and finds them", async () => {
    await insertDomain(accountId, HOST, { nested_slugs: 1 });
    for (const slug of ["docs", "docs/setup"]) await create(slug);
    for (const path of ["/docs/setup.", "/%20docs/setup", "/docs/setup/,"])
      expect(await answerAt(AT + path)).toBe("https://example.com/docs/setup");
    expect(await answerAt(`${AT}/docs.`)).toBe("https://example.com/docs");
    for (const path of ["/docs/other.", "//docs/setup", "/docs/setup//"]) expect(await answerAt(AT + path)).toBe(404);
  });

  it("has its case rule", async () => {
    await insertDomain(accountId, HOST, { case_sensitive: 1 });
    await create("Sale");
    expect(await answerAt(`${AT}/Sale.`)).toBe("https://example.com/Sale");
    expect(await answerAt(`${AT}/sale.`)).toBe(404);
  });
});

describe("what it costs", () => {
  it("is one row for a link that no cache has, and nothing while it is in the memory cache", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    await createSale();
    memoryCache.clear();
    await caches.open("links-8").then((cache) => cache.delete("https://links.cache//sale26"));
    expect(await measureD1(() => answerAt("/sale26."))).toMatchObject({ roundTrips: 1, rowsRead: 1, rowsWritten: 0 });
    for (const path of ["/sale26", "/sale26,", "//sale26"])
      expect(await measureD1(() => answerAt(path))).toMatchObject({ roundTrips: 0, rowsRead: 0 });
  });

  it("is one look-up for an unknown slug, written with such characters or not", async () => {
    for (const path of ["/unknown", "/unknown."]) expect((await measureD1(() => answerAt(path))).roundTrips).toBe(1);
  });

  it("counts in the bound of unknown slugs, once for all spellings", async () => {
    const address = freshAddress();
    const statusOf = async (path: string) => (await call("GET", path, { address })).status;
    vi.useFakeTimers({ toFake: ["Date"] });
    for (let n = 0; n < UNKNOWN_SLUGS_PER_CLIENT; n++) {
      if (n % 10 === 0) vi.setSystemTime(Date.now() + 1_000);
      expect([await statusOf(`/stray-${n}.`), await statusOf(`/stray-${n}`)]).toEqual([404, 404]);
    }
    const { roundTrips } = await measureD1(async () => expect(await statusOf("/one-more.")).toBe(429));
    expect(roundTrips).toBe(0);
    expect(await statusOf("/stray-1,")).toBe(404);
  });
});

it("reads a long path in linear time", () => {
  for (const path of [
    ".".repeat(16_000),
    `${"a/".repeat(8_000)}.b`,
    `${"a".repeat(16_000)}.b`,
    `a${".".repeat(16_000)}b`,
  ])
    expect(parseStrayPath(path)).toBeNull();
});
