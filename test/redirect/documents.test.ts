import { beforeEach, expect, it } from "vitest";
import { call, createAccount, type ErrorJson, jsonOf } from "../support/api.ts";
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
      if (url.startsWith("https://tern.test/")) expect([...pages, "https://tern.test/api/openapi.json"]).toContain(url);
    }
  }
});

it("examples name this installation", async () => {
  expect(await read("/docs/cli.md")).toContain("tern login --url https://tern.test\n");
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

it.each(["/docs/none.md", "/docs/adr/README.md", "/docs/api/api/links.md", "/docs/..%2fpages.md", "/docs/api/.md"])(
  "%s is a 404",
  async (path) => {
    const response = await call("GET", path, { headers: { Accept: "application/json" } });
    expect(response.status).toBe(404);
    expect((await jsonOf<ErrorJson>(response)).code).toBe("not_found");
  },
);

it("a document can only be read", async () => {
  expect((await call("POST", "/docs/cli.md", { body: {} })).status).toBe(405);
});

let accountId: number;
let key: string;
beforeEach(async () => {
  ({ accountId, key } = await createAccount());
});

it("custom domains have no documents, and their links may have the slug docs", async () => {
  await insertDomain(accountId, "go.acme.test", { not_found_url: "https://example.com/lost" });
  await createLinkAt("go.acme.test", key, { slug: "docs", url: "https://example.com/docs" });
  for (const path of ["/llms.txt", "/docs/cli.md"]) {
    const response = await call("GET", `https://go.acme.test${path}`);
    expect([response.status, response.headers.get("Location")]).toEqual([302, "https://example.com/lost"]);
  }
  const link = await call("GET", "https://go.acme.test/docs");
  expect(link.headers.get("Location")).toBe("https://example.com/docs");
});
