import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { accountId, call, type ErrorJson, jsonOf, key, startAccount } from "../support/api.ts";
import { createLinkAt, insertDomain } from "../support/domains.ts";

const LINK = /\]\(([^)\s]+)\)/g;
const linksIn = (text: string) => Array.from(text.matchAll(LINK), ([, target = ""]) => target);

async function read(path: string): Promise<string> {
  const response = await call("GET", path);
  expect(response.status, path).toBe(200);
  return response.text();
}

it("/llms.txt leads to the documents, the skill and the OpenAPI document of this installation", async () => {
  const response = await call("GET", "/llms.txt");
  expect(response.status).toBe(200);
  expect(response.headers.get("Content-Type")).toBe("text/plain; charset=utf-8");
  const text = await response.text();
  expect(text).toMatch(/^# Tern\n\n> .* at https:\/\/tern\.test, /);
  const links = linksIn(text);
  expect(links).toContain("https://tern.test/docs/api/links.md");
  expect(links).toContain("https://tern.test/docs/skill.md");
  expect(links).toContain("https://tern.test/api/openapi.json");
  for (const link of links) await read(link);
});

it("every document is Markdown whose links are absolute and lead to what is there", async () => {
  const pages = linksIn(await read("/llms.txt")).filter((link) => link.endsWith(".md"));
  expect(pages.length).toBeGreaterThan(40);
  for (const page of pages) {
    const response = await call("GET", page);
    expect(response.headers.get("Content-Type"), page).toBe("text/markdown; charset=utf-8");
    const text = await response.text();
    expect(text, page).toMatch(/^(---\n|# )/);
    expect(text, page).not.toContain("__ORIGIN__");
    const prose = text.replaceAll(/^ *```[^]*?^ *```$/gm, "");
    for (const target of linksIn(prose)) {
      expect(target, page).toMatch(/^(https?:\/\/|#)/);
      const [url = ""] = target.split("#");
      if (url.startsWith("https://tern.test/_app/")) expect((await env.ASSETS.fetch(url)).status, url).toBe(200);
      else if (url.startsWith("https://tern.test/"))
        expect([...pages, "https://tern.test/api/openapi.json"]).toContain(url);
    }
  }
});

it("examples name this installation", async () => {
  expect(await read("/docs/cli.md")).toContain("tern login --url https://tern.test\n");
});

describe("the page of a document", () => {
  const hrefs = (html: string) => Array.from(html.matchAll(/<a [^>]*href="([^"]+)"/g), ([, href = ""]) => href);
  const ids = (html: string) => Array.from(html.matchAll(/ id="([^"]+)"/g), ([, id = ""]) => id);

  it("is there for each document, and its links lead to pages and headings that are there", async () => {
    const documents = linksIn(await read("/llms.txt")).filter((link) => link.endsWith(".md"));
    const paths = documents.map((link) => new URL(link).pathname.replace(/(?:\/README)?\.md$/, ""));
    const pages = new Map(await Promise.all(paths.map(async (path) => [path, await read(path)] as const)));
    for (const [path, html] of pages) {
      expect(html, path).not.toMatch(/__[A-Z]+__/);
      expect(html.match(/<h1>/g), path).toHaveLength(1);
      expect(new Set(ids(html)).size, path).toBe(ids(html).length);
      for (const href of hrefs(html).filter((each) => !/^https?:/.test(each))) {
        const [target = "", anchor] = href.split("#");
        if (target.startsWith("/docs") && !/\.md$|^\/docs\/reference$/.test(target))
          expect([...pages.keys()], `${path}: ${href}`).toContain(target);
        const linked = target === "" ? html : pages.get(target);
        if (anchor !== undefined && linked !== undefined) expect(ids(linked), `${path}: ${href}`).toContain(anchor);
      }
    }
  });

  it("is also there with a slash at the end", async () => {
    for (const path of ["/docs", "/docs/api/links", "/docs/reference"])
      expect((await read(`${path}/`)).length, path).toBe((await read(path)).length);
  });

  it("names this installation in its examples, in three languages", async () => {
    const html = await read("/docs/api/links");
    expect(html).toContain('data-tab="Python"');
    expect(html).toContain("process.env.LINK");
    expect(html).toContain("https://tern.test/Summer-26");
    expect(html).not.toMatch(/\$API\b|localhost/);
  });

  it("has the order of llms.txt, and marks what is for operators", async () => {
    const html = await read("/docs/api/ending-links");
    expect(html).toContain('<a href="/docs/api/links" rel="prev">');
    expect(html).toContain('<a href="/docs/api/bulk" rel="next">');
    expect(html).toContain('<a href="/docs/api/ending-links" aria-current="page">');
    expect(html).not.toContain('class="badge"');
    expect(await read("/docs/self-hosting")).toContain('<p class="badge">For operators</p>');
  });

  it("is found by its texts", async () => {
    const parts = JSON.parse(await read("/docs/search.json")) as { title: string; path: string; text: string }[];
    expect(parts.length).toBeGreaterThan(300);
    const part = parts.find(
      ({ path }) => path === "/docs/api/links#visit-limits" || path === "/docs/api/ending-links#visit-limits",
    );
    expect(part?.title).toBe("Ending links");
    expect(parts.filter(({ text }) => /__[A-Z]+__/.test(text))).toEqual([]);
  });
});

it("a document is not sent again to a client that has it", async () => {
  const response = await call("GET", "/docs/api/links.md");
  expect(response.headers.get("Cache-Control")).toBe("public, max-age=300");
  const etag = response.headers.get("ETag") ?? "";
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
    const again = await call("GET", "/docs/api/links.md", { headers: { "If-None-Match": known } });
    expect([again.status, await again.text(), again.headers.get("ETag")]).toEqual([304, "", etag]);
  }
  const other = await call("GET", "/docs/cli.md", { headers: { "If-None-Match": etag } });
  expect(other.status).toBe(200);
  const head = await call("HEAD", "/docs/api/links.md");
  expect([head.status, await head.text(), head.headers.get("ETag")]).toEqual([200, "", etag]);
});

it.each([
  "/docs/none.md",
  "/docs/adr/README.md",
  "/docs/api/api/links.md",
  "/docs/..%2fpages.md",
  "/docs/api/.md",
  "/docs/none",
  "/docs/guides",
  "/docs/adr/README",
  "/docs/llms.txt",
])("%s is a 404", async (path) => {
  const response = await call("GET", path, { headers: { Accept: "application/json" } });
  expect(response.status).toBe(404);
  expect((await jsonOf<ErrorJson>(response)).code).toBe("not_found");
});

it("a document can only be read", async () => {
  expect((await call("POST", "/docs/cli.md", { body: {} })).status).toBe(405);
});

beforeEach(startAccount);

it("custom domains have no documents, and their links may have the slug docs", async () => {
  await insertDomain(accountId, "go.acme.test", { not_found_url: "https://example.com/lost" });
  await createLinkAt("go.acme.test", key, { slug: "docs", url: "https://example.com/docs" });
  for (const path of ["/llms.txt", "/docs/cli.md", "/docs/cli", "/docs/reference"]) {
    const response = await call("GET", `https://go.acme.test${path}`);
    expect([response.status, response.headers.get("Location")]).toEqual([302, "https://example.com/lost"]);
  }
  const link = await call("GET", "https://go.acme.test/docs");
  expect(link.headers.get("Location")).toBe("https://example.com/docs");
});
