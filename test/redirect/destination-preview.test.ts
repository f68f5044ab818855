import { env } from "cloudflare:workers";
import { beforeEach, expect, it, vi } from "vitest";
import { call, createAccount, createLink, jsonOf, key, startAccount, takeSentClicks } from "../support/api.ts";
import { measureD1 } from "../support/d1-meter.ts";
import { insertDomain } from "../support/domains.ts";
import { cookieOf, guess, PASSWORD } from "../support/password.ts";
import { IPHONE, visitAs } from "../support/visitors.ts";

beforeEach(startAccount);

async function pageAt(path: string): Promise<{ status: number; html: string; headers: Headers }> {
  const response = await call("GET", path, { headers: { Accept: "text/html" } });
  return { status: response.status, html: await response.text(), headers: response.headers };
}

/** The URLs that a page shows, as HTML. */
function urlsOf(html: string): (string | undefined)[] {
  return Array.from(html.matchAll(/<div class="url" tabindex="0">([^<]*)<\/div>/g), ([, url]) => url);
}

async function jsonAt(path: string): Promise<Record<string, unknown>> {
  const response = await call("GET", path, { headers: { Accept: "application/json" } });
  return { responseStatus: response.status, ...(await jsonOf(response)) };
}

it("shows the destination with the visitor's parameters, and has a button that follows the link", async () => {
  await createLink(key, { slug: "Spring", url: "https://example.com/sale?a=1#top" });
  const { status, html, headers } = await pageAt("/spring+?b=%22%3E&c=2");
  expect(status).toBe(200);
  expect([headers.get("Cache-Control"), headers.get("X-Robots-Tag")]).toEqual(["no-store", "noindex"]);
  expect(headers.get("Content-Security-Policy")).toMatch(/default-src 'none'.*form-action 'none'/);
  expect(html).toContain("<b><bdi>example.com</bdi></b>");
  expect(urlsOf(html)).toEqual(["https://example.com/sale?a=1&amp;b=%22%3E&amp;c=2#top"]);
  expect(html).toContain('<a class="button" href="/spring?b=%22%3E&amp;c=2" rel="nofollow noreferrer">');
  expect((await call("GET", "/spring?b=%22%3E&c=2")).headers.get("Location")).toContain("b=%22%3E");
});

it.each(["/spring+", "/SPRING%2B", "/spring%2b", "/spring+/", "/%53pring+"])("is found as %s", async (path) => {
  await createLink(key, { slug: "Spring" });
  expect((await pageAt(path)).html).toContain("<h1>Where this link leads</h1>");
});

it.each(["/+", "/spring+x", "/unknown+"])("responds 404 for %s", async (path) => {
  await createLink(key, { slug: "Spring" });
  expect((await pageAt(path)).status).toBe(404);
});

it("returns the same as JSON", async () => {
  await createLink(key, { slug: "Spring", url: "https://example.com/", preview: { title: "Sale" } });
  expect(await jsonAt("/spring+?a=b")).toEqual({
    responseStatus: 200,
    shortUrl: "https://tern.test/spring?a=b",
    destination: "https://example.com/?a=b",
    title: "Sale",
    status: "active",
    hasPassword: false,
    varies: false,
  });
  expect(await jsonAt("/unknown+")).toMatchObject({ responseStatus: 404, code: "not_found" });
});

it("says that other visitors may be sent elsewhere", async () => {
  const settings = [
    { ios: "https://apps.example/" },
    { android: "https://apps.example/" },
    { geo: { DE: "https://example.com/de" } },
    { rules: [{ devices: ["mobile"], url: "https://example.com/m" }] },
  ];
  for (const [index, setting] of settings.entries()) {
    await createLink(key, { slug: `varies-${index}`, ...setting });
    expect((await pageAt(`/varies-${index}+`)).html).toContain("Other visitors may be sent elsewhere");
    expect(await jsonAt(`/varies-${index}+`)).toMatchObject({ varies: true });
  }
  await createLink(key, { slug: "same" });
  expect((await pageAt("/same+")).html).not.toContain("elsewhere");
});

it("names the app that a phone would try first, and only to that phone", async () => {
  await createLink(key, { slug: "opens", url: "https://example.com/", ios: "acme://spring?a=1" });
  const onPhone = await (await visitAs({ userAgent: IPHONE }, "/opens+?b=%3C")).text();
  expect(urlsOf(onPhone)).toEqual(["https://example.com/?b=%3C", "acme://spring?a=1&amp;b=%3C"]);
  expect((await pageAt("/opens+")).html).not.toContain("acme:");
  await createLink(key, { slug: "veiled", ios: "acme://spring", password: PASSWORD });
  expect(await (await visitAs({ userAgent: IPHONE }, "/veiled+")).text()).not.toContain("acme:");
});

it("redirects to the domain's page for unknown paths", async () => {
  const { accountId } = await createAccount();
  await insertDomain(accountId, "go.acme.test", { not_found_url: "https://acme.test/nothing" });
  await insertDomain(accountId, "plain.test");
  const response = await call("GET", "https://go.acme.test/unknown+?a=1");
  expect([response.status, response.headers.get("Location")]).toEqual([302, "https://acme.test/nothing?a=1"]);
  expect((await call("GET", "https://plain.test/unknown+")).status).toBe(404);
  expect((await call("GET", "https://nobodys.test/unknown+")).status).toBe(404);
});

it("counts no click and uses no visit", async () => {
  await createLink(key, { slug: "once", maxClicks: 1 });
  for (let time = 0; time < 3; time++) expect((await pageAt("/once+")).status).toBe(200);
  expect(takeSentClicks()).toEqual([]);
  expect((await call("GET", "/once")).status).toBe(302);
  expect(takeSentClicks()).toHaveLength(1);
  expect((await pageAt("/once+")).status).toBe(410);
  expect(await env.DB.prepare("SELECT visits FROM links").first("visits")).toBe(1);
});

it("hides the destination of a link with a password, also from a visitor with the cookie", async () => {
  await createLink(key, { slug: "hidden", url: "https://hidden.example/", password: PASSWORD });
  const cookie = cookieOf(await guess("/hidden", PASSWORD));
  for (const headers of [{}, { Cookie: cookie }]) {
    const html = await (await call("GET", "/hidden+", { headers })).text();
    expect(html).toContain("<h1>This link is password-protected</h1>");
    expect(html).not.toMatch(/hidden\.example|<form/);
  }
  expect(await jsonAt("/hidden+")).toMatchObject({ responseStatus: 200, destination: null, hasPassword: true });
});

it("says that a link has ended, and where visitors are sent now", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const expiresAt = Date.now() + 1_000;
  await createLink(key, { slug: "brief", expiresAt });
  await createLink(key, { slug: "moved-on", expiresAt, expiredUrl: "https://example.com/over", password: PASSWORD });
  vi.setSystemTime(expiresAt);
  const { status, html } = await pageAt("/brief+");
  expect([status, html]).toEqual([410, expect.stringContaining("<h1>This link has ended</h1>")]);
  expect(await jsonAt("/brief+")).toMatchObject({ responseStatus: 410, code: "gone" });
  expect(urlsOf((await pageAt("/moved-on+")).html)).toEqual(["https://example.com/over"]);
  expect(await jsonAt("/moved-on+")).toMatchObject({ status: "expired", destination: "https://example.com/over" });
});

it("shows a host that looks like a Latin one in Punycode, with its Unicode form beside it", async () => {
  for (const [slug, host, unicode] of [
    ["umlaut", "xn--bcher-kva.example", "bücher.example"],
    ["cyrillic", "xn--80ak6aa92e.com", "аррӏе.com"],
    ["mixed", "xn--com-s18d.example", "com一.example"],
  ] as const) {
    await createLink(key, { slug, url: `https://${host}:8443/ü` });
    const { html } = await pageAt(`/${slug}+`);
    expect(html).toContain(`<b><bdi>${host}:8443</bdi></b>`);
    expect(urlsOf(html)).toEqual([`https://${host}:8443/ü`]);
    expect(html).toContain(`<code>${host}</code> is <bdi>${unicode}</bdi>`);
  }
});

it("shows a host in letters that look like no Latin ones in Unicode", async () => {
  await createLink(key, { slug: "arabic", url: "https://مثال.example:8443/مرحبا" });
  const { html } = await pageAt("/arabic+");
  expect(html).toContain("<b><bdi>مثال.example:8443</bdi></b>");
  expect(urlsOf(html)).toEqual(["https://xn--mgbh0fb.example:8443/مرحبا"]);
  expect(html).not.toContain("In its own letters");
});

it("escapes titles and URLs", async () => {
  const title = `"><script>alert('1')</script>\u202egnp.exe 🐦`;
  await createLink(key, { slug: "odd", url: "https://example.com/?a='<b>\"#</script>", preview: { title } });
  const { html } = await pageAt("/odd+?x=<script>&y='");
  expect(html).not.toMatch(/<script|<\/script|\u202e/);
  expect(html).toContain("&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;gnp.exe 🐦</bdi>");
});

it("responds to HEAD without a body and to other methods with 405", async () => {
  await createLink(key, { slug: "head" });
  const head = await call("HEAD", "/head+");
  expect([head.status, await head.text()]).toEqual([200, ""]);
  for (const method of ["POST", "PUT", "DELETE"]) expect((await call(method, "/head+")).status).toBe(405);
});

it("costs as much as a redirect", async () => {
  await createLink(key, { slug: "cold" });
  const cold = await measureD1(() => pageAt("/cold+"));
  expect([cold.roundTrips, cold.rowsRead, cold.rowsWritten]).toEqual([1, 1, 0]);
  expect((await measureD1(() => pageAt("/cold+"))).roundTrips).toBe(0);
});
