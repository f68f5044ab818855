import { existsSync, globSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { runScript, temporaryFolder } from "./support/command.ts";

const write = (...args: string[]) => runScript("docs-site.ts", args);

/** Without an installation. */
let site: string;
beforeAll(async () => {
  site = await siteOf();
});

async function siteOf(...args: string[]): Promise<string> {
  const out = join(temporaryFolder(), "site");
  expect(await write("--out", out, ...args)).toMatchObject({ exitCode: 0, errors: "" });
  return out;
}

const htmlOf = (site: string) =>
  new Map(globSync("**/*.html", { cwd: site }).map((file) => [file, readFileSync(join(site, file), "utf8")] as const));
const idsOf = (html = "") => Array.from(html.matchAll(/ id="([^"]+)"/g), ([, id]) => id);

it("each link and each file of a page is a file of the site, by a path relative to the page", () => {
  const pages = htmlOf(site);
  expect(pages.size).toBeGreaterThan(80);
  for (const [file, html] of pages) {
    expect(html, file).not.toMatch(/__[A-Z]+__|nonce=|data-app=/);
    for (const [, path = ""] of html.matchAll(/ (?:href|src|data-(?:home|guides|document|index))="([^"]*)"/g)) {
      if (/^https?:/.test(path)) continue;
      const [target = "", anchor] = path.split("#");
      expect(target, file).not.toMatch(/^\//);
      const linked = target === "" ? file : posix.join(posix.dirname(file), target);
      expect(existsSync(join(site, linked)), `${file}: ${path}`).toBe(true);
      if (anchor !== undefined) expect(idsOf(pages.get(linked)), `${file}: ${path}`).toContain(anchor);
    }
  }
});

it("assets and Markdown name files of the site, and the search names pages", () => {
  for (const file of globSync("assets/*.{js,css}", { cwd: site })) {
    const text = readFileSync(join(site, file), "utf8");
    for (const [, name = ""] of text.matchAll(/(?:from|import)"\.\/([^"]+)"|url\((?!["']?data:)([^)]+)\)/g))
      expect(existsSync(join(site, "assets", name)), `${file}: ${name}`).toBe(true);
  }
  const prose = (file: string) => readFileSync(join(site, file), "utf8").replaceAll(/^ *```[^]*?^ *```$/gm, "");
  for (const file of globSync("**/*.md", { cwd: site }))
    for (const [, path = ""] of prose(file).matchAll(/\]\(([^)\s#]+)[^)\s]*\)/g))
      if (!/^https?:/.test(path))
        expect(existsSync(join(site, posix.dirname(file), path)), `${file}: ${path}`).toBe(true);
  const pages = htmlOf(site);
  const parts = JSON.parse(readFileSync(join(site, "search.json"), "utf8")) as { path: string }[];
  for (const { path } of parts) {
    const [file = "", anchor] = path.split("#");
    expect([...pages.keys()]).toContain(file);
    if (anchor !== undefined) expect(idsOf(pages.get(file)), path).toContain(anchor);
  }
});

it("with a URL, the examples name the installation, and the pages lead to its dashboard", async () => {
  const own = await siteOf("--url", "https://links.example.com");
  const page = readFileSync(join(own, "api/links.html"), "utf8");
  expect(page).toContain("https://links.example.com/api/links");
  expect(page).toContain('<a href="https://links.example.com/app">');
  expect(readFileSync(join(own, "reference.html"), "utf8")).toContain('data-app="https://links.example.com/app"');
  expect(JSON.parse(readFileSync(join(own, "openapi.json"), "utf8"))).toMatchObject({
    servers: [{ url: "https://links.example.com" }],
  });
});

it("refuses a folder with files, a URL with a path, and no folder", async () => {
  expect(await write("--out", site)).toMatchObject({ exitCode: 1, errors: expect.stringContaining("is not empty") });
  expect(await write("--out", join(site, "new"), "--url", "https://go.example/docs")).toMatchObject({ exitCode: 2 });
  expect(await write()).toMatchObject({ exitCode: 2, errors: expect.stringContaining("Usage:") });
  expect(existsSync(join(site, "new"))).toBe(false);
});
