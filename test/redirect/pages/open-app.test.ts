import { beforeEach, describe, expect, it } from "vitest";
import { call, createLink, key, startAccount, takeSentVisits } from "../../support/api.ts";
import { ANDROID, IPHONE, locationFor, visitAs } from "../../support/visitors.ts";

beforeEach(startAccount);

const ON_IPHONE = { userAgent: IPHONE };

/** The URLs of the page's two links, unescaped like in a browser. */
async function readPage(response: Response): Promise<{ app: string; web: string; scripts: string[]; html: string }> {
  const html = await response.text();
  const links: Record<string, string> = {};
  const scripts: string[] = [];
  const rewriter = new HTMLRewriter()
    .on("a", { element: (a) => void (links[a.getAttribute("id") ?? ""] = unescape(a.getAttribute("href") ?? "")) })
    .on("script", { text: ({ text }) => void (text !== "" && scripts.push(text)) });
  await rewriter.transform(new Response(html)).text();
  return { app: links["app"] ?? "", web: links["web"] ?? "", scripts, html };
}

function unescape(text: string): string {
  return text
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}

const LINK = {
  url: "https://example.com/web",
  ios: "acme://spring?from=link",
  android: "market://details?id=com.acme",
};

describe("an app's URL", () => {
  it("is offered to browsers on its system, beside the web URL", async () => {
    await createLink(key, { slug: "offered", ...LINK, redirectStatus: 301 });
    for (const [userAgent, app] of [
      [IPHONE, LINK.ios],
      [ANDROID, LINK.android],
    ] as const) {
      for (let time = 0; time < 2; time++) {
        const response = await visitAs({ userAgent }, "/offered");
        expect([response.status, response.headers.get("Location")]).toEqual([200, null]);
        expect(response.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
        expect(response.headers.get("Cache-Control")).toBe("no-store");
        expect(response.headers.get("X-Robots-Tag")).toBe("noindex");
        expect(response.headers.get("X-Request-Id")).toMatch(/^[0-9a-f-]{36}$/);
        expect(await readPage(response)).toMatchObject({ app, web: LINK.url });
      }
    }
    expect(await locationFor({}, "/offered")).toBe(LINK.url);
  });

  it("comes with the web URL that the visitor would get without it", async () => {
    const rules = [
      { os: ["iOS"], languages: ["fr"], url: "https://example.com/rule" },
      { countries: ["DE"], percentage: 50, url: "https://example.com/half" },
    ];
    const geo = { AT: "https://example.com/at" };
    await createLink(key, { slug: "chain", ...LINK, rules, geo });
    const french = { ...ON_IPHONE, headers: { "Accept-Language": "fr" } };
    expect(await locationFor(french, "/chain")).toBe("https://example.com/rule");
    const austrian = await visitAs({ ...ON_IPHONE, cf: { country: "AT" } }, "/chain");
    expect(await readPage(austrian)).toMatchObject({ app: LINK.ios, web: "https://example.com/at" });
    expect((await readPage(await visitAs(ON_IPHONE, "/chain"))).web).toBe(LINK.url);
  });

  it("gets the visitor's parameters if its form has a query, like the web URL", async () => {
    await createLink(key, { slug: "hier", ...LINK });
    await createLink(key, { slug: "opaque", ...LINK, ios: "spotify:track:1" });
    const query = "?from=visitor&utm_source=a%22b&qr=1";
    expect(await readPage(await visitAs(ON_IPHONE, `/hier${query}`))).toMatchObject({
      app: "acme://spring?from=link&utm_source=a%22b",
      web: "https://example.com/web?from=visitor&utm_source=a%22b",
    });
    expect((await readPage(await visitAs(ON_IPHONE, `/opaque${query}`))).app).toBe("spotify:track:1");
  });

  it.each([
    ["a crawler", { userAgent: `${IPHONE} (compatible; Googlebot/2.1; +http://www.google.com/bot.html)` }],
    ["a link preview", { userAgent: `${IPHONE} facebookexternalhit/1.1 Facebot Twitterbot/1.0` }],
    [
      "a program without a browser",
      { userAgent: "MyApp/1.0 CFNetwork/1494.0.7 Darwin/23.4.0", headers: { Accept: "*/*" } },
    ],
    ["a program without Accept", { ...ON_IPHONE, headers: { Accept: "" } }],
  ])("is not shown to %s, which is redirected to the web URL", async (_, visitor) => {
    await createLink(key, { slug: "seen", ...LINK, redirectStatus: 308 });
    for (let time = 0; time < 2; time++) {
      const response = await visitAs(visitor, "/seen?a=1");
      expect([response.status, response.headers.get("Location")]).toEqual([308, "https://example.com/web?a=1"]);
      expect(response.headers.get("Cache-Control")).toBe("no-store");
    }
  });

  it("counts as one click and uses one visit when the page is shown", async () => {
    const { id } = await createLink(key, { slug: "once", ...LINK, maxClicks: 2 });
    await visitAs({ ...ON_IPHONE, method: "HEAD" }, "/once");
    await visitAs({ ...ON_IPHONE, headers: { "Sec-Purpose": "prefetch" } }, "/once");
    for (let time = 0; time < 2; time++) expect((await visitAs(ON_IPHONE, "/once")).status).toBe(200);
    expect(takeSentVisits().map(([, linkId, , { name }]) => [linkId, name])).toEqual([
      [id, "ios"],
      [id, "ios"],
    ]);
    expect((await visitAs(ON_IPHONE, "/once")).status).toBe(410);
  });

  it("gets the same response to HEAD as to GET, without a body", async () => {
    await createLink(key, { slug: "head", ...LINK });
    const [get, head] = [await visitAs(ON_IPHONE, "/head"), await visitAs({ ...ON_IPHONE, method: "HEAD" }, "/head")];
    expect([head.status, await head.text()]).toEqual([200, ""]);
    const names = ["Content-Type", "Cache-Control", "Content-Security-Policy"];
    for (const name of names) expect(head.headers.get(name)).toBe(get.headers.get(name));
  });
});

describe("the page", () => {
  it("allows its one script and nothing else", async () => {
    await createLink(key, { slug: "csp", ...LINK });
    const response = await visitAs(ON_IPHONE, "/csp");
    const policy = response.headers.get("Content-Security-Policy") ?? "";
    const { scripts } = await readPage(response);
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(scripts.join("")));
    expect(policy).toContain(`script-src 'sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}';`);
    for (const rule of ["default-src 'none'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"])
      expect(policy.split("; ")).toContain(rule);
    expect(response.headers.get("X-Content-Type-Options")).toBe("nosniff");
  });

  it("has the same script whatever the URLs are", async () => {
    await createLink(key, { slug: "one", ...LINK });
    await createLink(key, { slug: "other", ...LINK, url: "https://example.com/other", ios: "other://x" });
    const [one, other] = [await visitAs(ON_IPHONE, "/one"), await visitAs(ON_IPHONE, "/other?a=1")];
    expect((await readPage(one)).scripts).toEqual((await readPage(other)).scripts);
  });

  it.each([
    'acme:"onclick="alert(1)',
    "acme:'><img/src=x/onerror=alert(1)>",
    "acme:</a><script>alert(1)</script>",
    "acme:<!--",
    "acme://x/</script><script>alert(1)//",
    "acme:&quot;&#34;&lt;",
    "acme://spring/日本/☃?ä=ö&b=%E2%80%AE",
    "acme:%3Cscript%3E",
  ])("escapes %s", async (ios) => {
    const url = `https://example.com/'"><script>alert(1)</script>?a=&quot;#</a>`;
    await createLink(key, { slug: "hostile", url, ios });
    const { app, web, scripts, html } = await readPage(
      await visitAs(ON_IPHONE, `/hostile?x='"><script>alert(2)</script>&y=1`),
    );
    expect(app.split(/[?&]x=/)[0]).toBe(new URL(ios).href);
    expect(new URL(web).href).toBe(web);
    expect(web.startsWith(new URL(url).href.split("#")[0] as string)).toBe(true);
    expect(scripts.join("")).not.toContain("alert");
    expect(html.split("<script").length).toBe(2);
    expect(html.match(/<a /g)?.length).toBe(2);
    expect(html).not.toMatch(/<img|<!--/);
  });

  it("cannot be forced by the request", async () => {
    await createLink(key, { slug: "plain", url: "https://example.com/" });
    const response = await visitAs(ON_IPHONE, "/plain?ios=evil://x&app=evil://x&url=https://evil.example");
    expect(response.status).toBe(302);
    expect((await call("GET", "/plain")).status).toBe(302);
  });
});
