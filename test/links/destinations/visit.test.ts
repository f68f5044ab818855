import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import {
  MAX_PAGE_TITLE_CHARS,
  MAX_VISIT_REDIRECTS,
  MAX_VISIT_REQUESTS,
} from "../../../src/links/destinations/limits.ts";
import { visitDestination } from "../../../src/links/destinations/visit.ts";
import { createUrlGuard } from "../../../src/platform/outbound/url-guard.ts";
import { hostileUrls } from "../../webhooks/delivery/hostile-urls.ts";
import { internet } from "../../webhooks/support.ts";

const variables = {
  DB: env.DB,
  ANONYMOUS_HOST: "",
  DNS_OVER_HTTPS_URL: "https://resolver.dev/dns-query",
  WEBHOOK_ALLOWED_PRIVATE_HOSTS: "",
};

const isOwnDomain = (host: string) => Promise.resolve(host === "go.acme.dev");

const visit = (url: string, timeoutMs?: number) =>
  visitDestination(url, createUrlGuard(variables, "https://tern.test", isOwnDomain), timeoutMs);

const page = (body: string, headers: Record<string, string> = {}) => ({
  headers: { "Content-Type": "text/html", ...headers },
  body,
});
const redirect = (location: string, status = 302) => ({ status, headers: { Location: location } });
const pages = async () =>
  (await internet.received()).map(({ url }) => url).filter((url) => !url.endsWith("/robots.txt"));

beforeEach(async () => {
  await internet.reset();
  await internet.answers({ "shop.dev/robots.txt": { status: 404 }, "other.dev/robots.txt": { status: 404 } });
});

describe("a page", () => {
  it("has a title, a social image and an icon, relative to where the redirects ended", async () => {
    await internet.answers({
      "shop.dev/a": redirect("https://other.dev/b/c", 301),
      "other.dev/b/c": page(
        `<!doctype html><title>
          Tea &amp; biscuits &#8211; &quot;new&quot;</title><meta property="og:image" content="/i.png?a=1&amp;b=2">
          <link rel="shortcut icon" href="f.ico"><svg><title>Menu</title></svg>`,
      ),
    });
    expect(await visit("https://shop.dev/a#top")).toEqual({
      finalUrl: "https://other.dev/b/c#top",
      status: 200,
      failure: null,
      title: 'Tea & biscuits – "new"',
      image: "https://other.dev/i.png?a=1&b=2",
      icon: "https://other.dev/b/f.ico",
    });
    const [first] = await internet.received();
    expect(first?.headers["user-agent"]).toBe("Mozilla/5.0 (compatible; TernBot/1.0; +https://tern.test)");
  });

  it("without a title has that of its social card, and images of other schemes are left out", async () => {
    await internet.answers({
      "shop.dev/a": page(
        `<meta name="og:title" content="Card"><meta property="og:image" content="javascript:alert(1)"><link rel=icon href="data:,x">`,
      ),
    });
    expect(await visit("https://shop.dev/a")).toMatchObject({ title: "Card", image: null, icon: null });
  });

  it.each([
    ["of the header", "text/html; charset=windows-1252", "<title>"],
    ["of the page", "text/html", '<meta charset="windows-1252"><title>'],
  ])("is decoded by the charset %s", async (_, type, start) => {
    const bytes = [...new TextEncoder().encode(start), 0xfc, ...new TextEncoder().encode("ber</title>")];
    await internet.answers({ "shop.dev/a": { headers: { "Content-Type": type }, bytes } });
    expect(await visit("https://shop.dev/a")).toMatchObject({ title: "über" });
  });

  it("of an unknown or wrong charset, or with broken references, still has a title", async () => {
    await internet.answers({
      "shop.dev/a": page("<title>Tea</title>", { "Content-Type": "text/html; charset=klingon" }),
      "shop.dev/b": {
        headers: { "Content-Type": "text/html; charset=utf-8" },
        bytes: [60, 116, 105, 116, 108, 101, 62, 255, 65],
      },
      "shop.dev/c": page("<title>a&#0;b&#xd800;c&#1114112;d&nope;</title>"),
    });
    expect(await visit("https://shop.dev/a")).toMatchObject({ title: "Tea" });
    expect(await visit("https://shop.dev/b")).toMatchObject({ title: "\ufffdA" });
    expect(await visit("https://shop.dev/c")).toMatchObject({ title: "a\ufffdb\ufffdc\ufffdd&nope;" });
  });

  it("with a huge title has its beginning, and never half a character", async () => {
    await internet.answers({ "shop.dev/a": page(`<title>x${"😀".repeat(50_000)}</title>`) });
    const { title } = await visit("https://shop.dev/a");
    expect(title).toBe(`x${"😀".repeat((MAX_PAGE_TITLE_CHARS - 2) / 2)}`);
  });

  it("that never ends is read up to the bound", async () => {
    await internet.answers({ "shop.dev/a": { headers: { "Content-Type": "text/html" }, endless: true } });
    expect(await visit("https://shop.dev/a")).toMatchObject({ status: 200, failure: null, title: null });
  });

  it("that unpacks without end is read up to the bound", async () => {
    // The receiver's runtime compresses what it sends with this header.
    await internet.answers({
      "shop.dev/b": { headers: { "Content-Type": "text/html", "Content-Encoding": "gzip" }, endless: true },
    });
    expect(await visit("https://shop.dev/b")).toMatchObject({ status: 200, failure: null });
  });

  it("that cannot be decoded was there, and has no title", async () => {
    const headers = { "Content-Type": "text/html", "Content-Encoding": "gzip" };
    await internet.answers({ "shop.dev/a": { headers, body: "<title>Tea</title>", encodeBody: "manual" } });
    expect(await visit("https://shop.dev/a")).toMatchObject({ status: 200, failure: null, title: null });
  });

  it("that is no HTML or an error has no title", async () => {
    await internet.answers({
      "shop.dev/a": { headers: { "Content-Type": "image/png" }, body: "<title>Tea</title>" },
      "shop.dev/b": { ...page("<title>Not found</title>"), status: 404 },
      "shop.dev/c": { fails: true },
    });
    expect(await visit("https://shop.dev/a")).toMatchObject({ status: 200, failure: null, title: null });
    expect(await visit("https://shop.dev/b")).toMatchObject({ status: 404, failure: null, title: null });
    expect(await visit("https://shop.dev/c")).toMatchObject({ status: null, failure: "unreachable" });
  });

  it("that does not answer ends the visit after the time", async () => {
    await internet.answers({ "shop.dev/a": { hangs: true } });
    const timeoutMs = 200;
    expect(await visit("https://shop.dev/a", timeoutMs)).toMatchObject({ status: null, failure: "timeout" });
    await internet.answers({ "shop.dev/a": {} });
  });
});

describe("redirects", () => {
  it("to hostile addresses are not followed, nor are such destinations", async () => {
    for (const url of hostileUrls()) expect([url, (await visit(url)).failure]).toEqual([url, "not_public"]);
    expect(await internet.received()).toEqual([]);
    const some = hostileUrls().filter((url, n) => n % 25 === 0 && URL.canParse(url));
    expect(some.length).toBeGreaterThan(25);
    for (const url of some) {
      await internet.answers({ "shop.dev/a": redirect(new URL(url).href) });
      expect([url, (await visit("https://shop.dev/a")).failure]).toEqual([url, "not_public"]);
    }
    expect(new Set(await pages())).toEqual(new Set(["https://shop.dev/a"]));
  });

  it("to names with private addresses, ports of other protocols and the service itself are not followed", async () => {
    await internet.addresses({ "evil.dev": ["93.184.215.14", "169.254.169.254"], "none.dev": [] });
    const targets = [
      "https://evil.dev/",
      "https://shop.dev:25/",
      "https://tern.test/x",
      "https://go.acme.dev/x",
      "ftp://shop.dev/",
    ];
    for (const target of targets) {
      await internet.answers({ "shop.dev/a": redirect(target) });
      expect(await visit("https://shop.dev/a")).toMatchObject({ finalUrl: target, failure: "not_public" });
    }
    await internet.answers({ "shop.dev/a": redirect("https://none.dev/") });
    expect(await visit("https://shop.dev/a")).toMatchObject({ failure: "unreachable" });
    expect(new Set(await pages())).toEqual(new Set(["https://shop.dev/a"]));
  });

  it("that loop end after the maximum", async () => {
    await internet.answers({ "shop.dev/a": redirect("/a") });
    expect(await visit("https://shop.dev/a")).toMatchObject({ status: 302, failure: "too_many_redirects" });
    expect(await pages()).toHaveLength(MAX_VISIT_REDIRECTS + 1);
  });

  it("through many hosts are bounded in requests", async () => {
    const hosts = ["a.dev", "b.dev", "c.dev", "d.dev", "e.dev", "f.dev"];
    await internet.answers(
      Object.fromEntries(
        hosts.flatMap((host, n) => [
          [`${host}/robots.txt`, [redirect("/r1"), redirect("/r2")]],
          [`${host}/r1`, redirect("/r2")],
          [`${host}/r2`, redirect("/r3")],
          [`${host}/r3`, { status: 404 }],
          [`${host}/`, redirect(`https://${hosts[n + 1] ?? "end.dev"}/`)],
        ]),
      ),
    );
    expect(await visit("https://a.dev/")).toMatchObject({ failure: "too_many_redirects" });
    expect(await internet.received()).toHaveLength(MAX_VISIT_REQUESTS);
  });
});

describe("robots.txt", () => {
  it.each([
    ["User-agent: *\nDisallow: /a", "robots"],
    ["User-agent: *\nDisallow: /\nAllow: /a", null],
    ["User-agent: *\nDisallow: /\n\nUser-agent: ternbot # us\nUser-agent: other\nDisallow:", null],
    ["User-agent: TernBot\r\nDisallow: /*.html$\r\nDisallow: /*q=1", "robots"],
    ["User-agent: other\nDisallow: /", null],
    ["<html>no rules</html>", null],
  ])("%j decides", async (body, failure) => {
    await internet.answers({ "shop.dev/robots.txt": { body }, "shop.dev/a": page("<title>Tea</title>") });
    expect(await visit("https://shop.dev/a?q=1")).toMatchObject({ failure });
    expect(await pages()).toHaveLength(failure === null ? 1 : 0);
  });

  it("that cannot be read forbids the visit, and does not make the destination unreachable", async () => {
    const headers = { "Content-Encoding": "gzip" };
    await internet.answers({ "shop.dev/robots.txt": { headers, encodeBody: "manual", body: "User-agent: *" } });
    expect(await visit("https://shop.dev/a")).toMatchObject({ failure: "robots" });
    expect(await pages()).toEqual([]);
  });

  it("of a failing server forbids the visit, and that of a redirect's host counts too", async () => {
    await internet.answers({ "shop.dev/robots.txt": { status: 503 } });
    expect(await visit("https://shop.dev/a")).toMatchObject({ failure: "robots" });
    await internet.answers({
      "shop.dev/robots.txt": { status: 404 },
      "shop.dev/a": redirect("https://other.dev/b"),
      "other.dev/robots.txt": { body: "User-agent: *\nDisallow: /" },
    });
    expect(await visit("https://shop.dev/a")).toMatchObject({ finalUrl: "https://other.dev/b", failure: "robots" });
    expect(await pages()).toEqual(["https://shop.dev/a"]);
  });
});
