import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, posix, resolve } from "node:path";
import { parseArgs } from "node:util";
import { documents } from "../../src/app.ts";
import { buildDashboard } from "./build-dashboard.ts";
import { buildDocuments } from "./build-documents.ts";
import { Failure, runCommand, WRONG_USAGE } from "./command.ts";
import { parseServiceUrl } from "./service-url.ts";
import { ROOT } from "./wrangler.ts";

const USAGE = `Usage: npm run docs -- --out DIR [--url https://go.example]

Writes the documents and the API reference as files for any web server, also below a path of its host.
  --out DIR  the folder of the files: a new or empty one
  --url URL  the installation that the examples name, and to whose dashboard the pages lead`;

/** What the examples name without an installation, as the documents in the repository do. */
const EXAMPLE_ORIGIN = "https://go.example";

const [DOCUMENTS, PAGES, APP] = ["dist/documents/docs", "dist/pages", "dist/_app"].map((path) => join(ROOT, path)) as [
  string,
  string,
  string,
];

/** The names of files in `_app/assets`, each with the hash of its content. */
const ASSETS = /[\w.-]+-[\w-]{8}\.(?:js|css|svg|woff2)\b/g;

/** `npm run docs`. */
async function writeSite(args: string[]): Promise<void> {
  const { out, url } = readArguments(args);
  buildDashboard();
  buildDocuments();
  const origin = url ?? EXAMPLE_ORIGIN;
  const files = new Map<string, string>();
  for (const file of readdirSync(DOCUMENTS, { recursive: true, encoding: "utf8" })) {
    if (!/\.(html|md)$/.test(file)) continue;
    const text = readFileSync(join(DOCUMENTS, file), "utf8");
    files.set(file, file.endsWith(".md") ? markdownOf(text, file) : pageOf(text, file, url));
  }
  files.set("index.html", pageOf(readFileSync(`${DOCUMENTS}.html`, "utf8"), "index.html", url));
  files.set("reference.html", pageOf(readFileSync(join(PAGES, "docs.html"), "utf8"), "reference.html", url));
  files.set("openapi.json", JSON.stringify(documents.ofApi(origin)));
  files.set("search.json", searchIndex());
  for (const [file, text] of files) write(join(out, file), withOrigin(text, origin));
  copyAssets([...files.values()], join(out, "assets"));
  cpSync(join(APP, "images"), join(out, "images"), { recursive: true });
  console.log(`${files.size} files are in ${out}. The first page is index.html.`);
}

function readArguments(args: string[]): { out: string; url: string | null } {
  let values;
  try {
    ({ values } = parseArgs({ args, options: { out: { type: "string" }, url: { type: "string" } } }));
  } catch (error) {
    throw new Failure(`${(error as Error).message}\n\n${USAGE}`, WRONG_USAGE);
  }
  if (values.out === undefined) throw new Failure(USAGE, WRONG_USAGE);
  const out = resolve(values.out);
  if (existsSync(out) && readdirSync(out).length > 0)
    throw new Failure(`${out} is not empty. Name a new folder, so that no file of another version stays.`);
  return { out, url: values.url === undefined ? null : parseServiceUrl(values.url).origin };
}

/** A page of an installation as a file of the site. Without an installation, nothing leads to its dashboard. */
function pageOf(html: string, file: string, url: string | null): string {
  const page = html.replaceAll(/ nonce="__NONCE__"/g, "").replace("__SESSION__", "false");
  const reachable =
    url === null
      ? page.replaceAll(/ ?<a href="\/app[^"]*"[^>]*>[^<]*<\/a>| data-app="[^"]*"/g, "")
      : page.replaceAll(/(href|data-app)="(?=\/app\b)/g, `$1="${url}`);
  return reachable.replaceAll(
    /\b(href|src|data-(?:home|guides|document|index))="(\/[^"#]*)(#[^"]*)?"/g,
    (_, name: string, path: string, anchor = "") => `${name}="${relativeTo(file, siteFile(path))}${anchor}"`,
  );
}

/** The file of the site that has what an installation serves at the path. */
function siteFile(path: string): string {
  if (path === "/" || path === "/docs") return "index.html";
  if (path === "/api/openapi.json") return "openapi.json";
  const [, asset] = /^\/_app\/((?:assets|images)\/.+)$/.exec(path) ?? [];
  if (asset !== undefined) return asset;
  const [, document] = /^\/docs\/(.+)$/.exec(path) ?? [];
  if (document === undefined) throw new Failure(`No file of the site has ${path}.`);
  return /\.\w+$/.test(document) ? document : `${document}.html`;
}

function relativeTo(file: string, target: string): string {
  return posix.relative(posix.dirname(file), target);
}

/** Its links to other documents lead to their Markdown. */
function markdownOf(text: string, file: string): string {
  return text.replaceAll(
    /\]\(__ORIGIN__(\/(?:docs|_app|api\/openapi)[^)#]*)/g,
    (_, path: string) => `](${relativeTo(file, siteFile(path))}`,
  );
}

/** Its paths are relative to its own. */
function searchIndex(): string {
  const parts = JSON.parse(readFileSync(join(DOCUMENTS, "search.json"), "utf8")) as { path: string }[];
  for (const part of parts) {
    const [path = "", anchor] = part.path.split("#");
    part.path = anchor === undefined ? siteFile(path) : `${siteFile(path)}#${anchor}`;
  }
  return JSON.stringify(parts);
}

const withOrigin = (text: string, origin: string) =>
  text.replaceAll("__ORIGIN__", origin).replaceAll("__HOST__", new URL(origin).host);

/** Copies the assets that the pages name, and those that assets name. */
function copyAssets(texts: readonly string[], folder: string): void {
  const names = new Set(texts.flatMap((text) => text.match(ASSETS) ?? []));
  // A set goes on to names that are added meanwhile.
  for (const name of names) {
    const source = join(APP, "assets", name);
    if (!existsSync(source)) continue;
    if (!/\.(js|css)$/.test(name)) {
      cpSync(source, join(folder, name));
      continue;
    }
    const text = readFileSync(source, "utf8");
    for (const named of text.match(ASSETS) ?? []) names.add(named);
    // Paths in styles are relative to the file, those in programs to the page. Only reference.html has programs with paths.
    write(join(folder, name), text.replaceAll("/_app/assets/", name.endsWith(".css") ? "" : "assets/"));
  }
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

if (import.meta.main) await runCommand(writeSite, USAGE);
