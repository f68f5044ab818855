import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseAst } from "vite";
import type { BrowserContext, Route } from "playwright-core";
import { languageOf } from "../../../dashboard/vite.config.ts";
import { buildPages } from "../../../tools/scripts/build-pages.ts";
import { ROOT } from "../../../tools/scripts/wrangler.ts";

// A language of the tests: English, with longer words that have accents. A text without accents is in no module of texts.

const ENGLISH = join(ROOT, "dashboard/src/texts/en");
const ACCENTS: Record<string, string> = {
  a: "á",
  e: "é",
  i: "í",
  o: "ö",
  u: "ü",
  A: "Á",
  E: "É",
  I: "Í",
  O: "Ö",
  U: "Ü",
};
const LONGER = 4 / 3;

/** The text with accents, a third longer: its vowels are doubled, the first ones first. */
function lengthen(text: string): string {
  // Addresses, code, and what is no word.
  if (/:\/\/|`|^[a-z]+[A-Z]|^\W*$/.test(text)) return text;
  let missing = Math.ceil(text.length * LONGER) - text.length;
  return text.replaceAll(/[aeiou]/gi, (vowel) => {
    const accented = ACCENTS[vowel] ?? vowel;
    return missing-- > 0 ? accented + accented.toLowerCase() : accented;
  });
}

interface Node {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

/** The module with other texts. Names, imports and what is compared stay. */
function rewriteModule(code: string): string {
  const pieces: { start: number; end: number; text: string }[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (typeof node !== "object" || node === null) return;
    const { type, start, end, value, operator, key } = node as Node;
    if (/^(?:Import|ExportNamed|TS)/.test(type) && !("declaration" in node && node.declaration !== null)) return;
    if (type === "NewExpression" || (type === "BinaryExpression" && operator !== "+")) return;
    if (type === "Literal" && typeof value === "string")
      pieces.push({ start, end, text: JSON.stringify(lengthen(value)) });
    if (type === "TemplateElement") pieces.push({ start, end, text: lengthen(code.slice(start, end)) });
    for (const [name, child] of Object.entries(node)) if (child !== key && name !== "typeAnnotation") visit(child);
  };
  visit(parseAst(code, { lang: "ts" }));
  let written = code;
  for (const { start, end, text } of pieces.toSorted((a, b) => b.start - a.start))
    written = written.slice(0, start) + text + written.slice(end);
  return written.replaceAll('"../../lib/', '"#dashboard/lib/');
}

/** Builds the pages with longer texts. Returns their folder, which is to be deleted. */
export function buildLonger(): string {
  mkdirSync(join(ROOT, ".wrangler"), { recursive: true });
  const folder = mkdtempSync(join(ROOT, ".wrangler/longer-"));
  // In a process of its own, as the pages that are shipped.
  execFileSync(process.execPath, [import.meta.filename, folder], {
    cwd: ROOT,
    env: { ...process.env, NODE_ENV: "production" },
    stdio: "inherit",
  });
  return folder;
}

if (import.meta.main) {
  const [, , folder = ""] = process.argv;
  // The rules of the build know the texts by this path.
  const texts = join(folder, "dashboard/src/texts/longer");
  mkdirSync(texts, { recursive: true });
  for (const name of readdirSync(ENGLISH))
    writeFileSync(join(texts, name), rewriteModule(readFileSync(join(ENGLISH, name), "utf8")));
  writeFileSync(`${texts}.ts`, readFileSync(`${ENGLISH}.ts`, "utf8").replaceAll("./en/", "./longer/"));
  await buildPages({ ...languageOf("en"), texts }, folder);
  rmSync(join(folder, "dashboard"), { recursive: true });
}

/** Gives the browser context the pages of the folder in the place of those of the service. */
export async function servePages(context: BrowserContext, folder: string): Promise<void> {
  const page = (name: string) => async (route: Route) => {
    if (route.request().resourceType() !== "document") return route.fallback();
    const response = await route.fetch();
    const nonce = /nonce="([^"]+)"/.exec(await response.text())?.[1] ?? "";
    const html = readFileSync(join(folder, `pages/${name}.html`), "utf8");
    return route.fulfill({
      response,
      body: html.replaceAll("__NONCE__", nonce).replace("__FRAME__", "open").replace("__SESSION__", "true"),
    });
  };
  await context.route("**/app/**", page("app"));
  await context.route("**/docs/reference", page("docs"));
  await context.route((url) => url.pathname === "/", page("home"));
  await context.route("**/_app/assets/*", (route) => {
    const path = join(folder, new URL(route.request().url()).pathname);
    return existsSync(path) ? route.fulfill({ path }) : route.fallback();
  });
}
