import { beforeEach, describe, expect, it } from "vitest";
import { contrastRatio, textColourOn } from "../../../src/platform/lib/colour.ts";
import * as memoryCache from "../../../src/redirect/lookup/memory-cache.ts";
import { accountId, call, createAccount, key, startAccount } from "../../support/api.ts";
import { createLinkAt, insertDomain } from "../../support/domains.ts";

const AT = "https://go.acme.test";
const BRAND = { brand_name: "Acme & Söhne", brand_logo: "https://cdn.acme.test/a.svg?x=1&y=2", brand_color: "#ffcc00" };
const LOGO = '<img src="https://cdn.acme.test/a.svg?x=1&amp;y=2" referrerpolicy="no-referrer"';
const HEADER = `<header>${LOGO} alt=""><bdi>Acme &amp; Söhne</bdi></header>`;
const SERVICE_HEADER = "<header><svg ";
const IMAGES = "img-src 'self' data: https://cdn.acme.test;";

beforeEach(startAccount);

async function pageAt(path: string, init: RequestInit = {}) {
  const response = await call(init.method ?? "GET", AT + path, init as Parameters<typeof call>[2]);
  return { policy: response.headers.get("Content-Security-Policy") ?? "", html: await response.text() };
}

const PREVIEW_FETCHER = { headers: { "User-Agent": "Twitterbot/1.0" } };

describe("a domain's brand", () => {
  it.each([
    ["/", {}],
    ["/unknown", {}],
    ["/locked", {}],
    ["/ended", {}],
    ["/used-up", {}],
    ["/open+", {}],
    ["/ended+", {}],
    ["/shown", PREVIEW_FETCHER],
    [
      "/locked",
      { method: "POST", headers: { "Content-Type": "application/x-www-form-urlencoded" }, body: "password=x" },
    ],
    ["/open", { method: "POST" }],
  ])("is on the page at %s, with %j", async (path, init) => {
    await insertDomain(accountId, "go.acme.test", BRAND);
    await createLinkAt("go.acme.test", key, { slug: "locked", password: "correct horse" });
    await createLinkAt("go.acme.test", key, { slug: "ended", disabled: true });
    await createLinkAt("go.acme.test", key, { slug: "used-up", maxClicks: 1 });
    await createLinkAt("go.acme.test", key, { slug: "open" });
    await createLinkAt("go.acme.test", key, { slug: "shown", preview: { title: "Shown" } });
    if (path === "/used-up") await call("GET", `${AT}/used-up`);
    // From the database, and from the cache.
    for (let visit = 0; visit < 2; visit++) {
      const { html, policy } = await pageAt(path, init);
      expect(html).toContain(HEADER);
      expect(html).toContain("button,.button{color:#000000;background:#ffcc00;border-color:#ffcc00}");
      expect(`${policy};`).toContain(IMAGES);
    }
  });

  it("is on no page of other domains", async () => {
    const other = await createAccount();
    await insertDomain(accountId, "other.test", BRAND);
    await insertDomain(other.accountId, "go.acme.test");
    const { html, policy } = await pageAt("/unknown");
    expect(html).toContain(SERVICE_HEADER);
    expect(html).not.toContain("Acme");
    expect(`${policy};`).toContain("img-src 'self' data:;");
  });

  it("is on no page of a domain that is not verified", async () => {
    await insertDomain(accountId, "go.acme.test", { ...BRAND, status: "pending" });
    expect((await pageAt("/unknown")).html).toContain(SERVICE_HEADER);
  });

  it("stands for the host if there is no name, and keeps the service's colours without a colour", async () => {
    await insertDomain(accountId, "go.acme.test", { brand_logo: BRAND.brand_logo });
    const { html } = await pageAt("/unknown");
    expect(html).toContain(`<header>${LOGO} class="alone" alt="go.acme.test"></header>`);
    expect(html).not.toContain("button,.button{color:#000000");
  });

  it("cannot bring markup into the page", async () => {
    const brand_name = "</title><script>alert(1)</script>\"'&";
    await insertDomain(accountId, "go.acme.test", { brand_name, brand_logo: `https://acme.test/"onerror="x` });
    const { html } = await pageAt("/unknown");
    expect(html).not.toContain("<script>");
    expect(html).not.toContain('"onerror');
    expect(html).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
  });

  it("has its colour in links where it can be read: on the light background, on the dark one, or on none", async () => {
    const rulesOf = async (domain: string, brand_color: string) => {
      await insertDomain(accountId, domain, { brand_color });
      const html = await (await call("GET", `https://${domain}/unknown`)).text();
      return ["light", "dark"].filter((scheme) =>
        html.includes(`@media(prefers-color-scheme:${scheme}){a{color:${brand_color}}`),
      );
    };
    expect(await rulesOf("a.test", "#0f2a35")).toEqual(["light"]);
    expect(await rulesOf("b.test", "#ffcc00")).toEqual(["dark"]);
    expect(await rulesOf("c.test", "#ff0000")).toEqual(["dark"]);
  });

  it("does not make a redirect read the domain", async () => {
    await insertDomain(accountId, "go.acme.test", BRAND);
    await createLinkAt("go.acme.test", key, { slug: "open" });
    const response = await call("GET", `${AT}/open`);
    expect([response.status, response.headers.get("Content-Security-Policy")]).toEqual([302, null]);
    expect(memoryCache.getStale("go.acme.test/" as Parameters<typeof memoryCache.getStale>[0], Date.now())).toBe(
      undefined,
    );
  });
});

it("writes on each colour in black or white with a contrast of at least 4.5", () => {
  for (let grey = 0; grey < 256; grey++) {
    const colour = `#${grey.toString(16).padStart(2, "0").repeat(3)}`;
    expect(contrastRatio(textColourOn(colour), colour)).toBeGreaterThanOrEqual(4.5);
  }
  expect([textColourOn("#ff0000"), textColourOn("#0000ff")]).toEqual(["#000000", "#ffffff"]);
});
