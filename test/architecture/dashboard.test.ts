import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, expect, it } from "vitest";
import { editor } from "../../dashboard/src/texts/en/editor.ts";
import { fieldFaults } from "../../dashboard/src/texts/en/field-faults.ts";
import { linkList } from "../../dashboard/src/texts/en/link-list.ts";
import { refusals } from "../../dashboard/src/texts/en/refusals.ts";
import { settings } from "../../dashboard/src/texts/en/settings.ts";
import { buildDashboard } from "../../tools/scripts/build-dashboard.ts";
import { buildDocuments } from "../../tools/scripts/build-documents.ts";
import { ROOT } from "../../tools/scripts/wrangler.ts";
import { REFUSALS } from "../../src/platform/http/fault-sentences.ts";

// Budgets of what browsers load, listed in CONTRIBUTING.md. Find out why a change exceeds one, and take something away.

const MAX_HOME_GZIP_BYTES = 8_700;
const MAX_DOCS_GZIP_BYTES = 35_700;
/** The shell of the dashboard and the list of links, its first screen. */
const MAX_LIST_GZIP_BYTES = 131_800;
const MAX_SIGN_IN_GZIP_BYTES = 100_600;
/** The section of the settings that developers open first. */
const MAX_KEYS_GZIP_BYTES = 124_400;
const MAX_STYLES_GZIP_BYTES = 15_000;
/** The letters of Western European languages. Browsers load the others only if a page has them. */
const MAX_FONT_BYTES = 23_200;
/** All that a page of the documents loads, fonts too. */
const MAX_DOCUMENT_BYTES = 72_000;
/** Each file is a request of its own. The groups of dashboard/vite.config.ts keep the icons out of files of their own. */
const MAX_FILES = 17;
const MAX_KEYS_FILES = 19;

const LIST = ["src/shell/app-layout.tsx", "src/features/links/links-page.tsx"];
const FIRST_SCREEN = ["app.html", ...LIST];
const SIGN_IN = "src/features/sign-in/sign-in-page.tsx";
const KEYS = ["src/features/settings/pages.tsx", "src/features/settings/keys/keys.tsx"];
const KEYS_SCREEN = ["app.html", "src/shell/app-layout.tsx", ...KEYS];

interface Chunk {
  file: string;
  css?: string[];
  assets?: string[];
  imports?: string[];
}

type Manifest = Record<string, Chunk>;

let manifest: Manifest;
beforeAll(() => {
  buildDashboard();
  buildDocuments();
  manifest = JSON.parse(readFileSync(join(ROOT, "dist/_app/.vite/manifest.json"), "utf8")) as Manifest;
});

/** The scripts that these entries load at once. */
function scriptsOf(...entries: string[]): Buffer[] {
  const reached = new Set(entries);
  for (const name of reached) for (const imported of manifest[name]?.imports ?? []) reached.add(imported);
  return [...reached].map((name) => {
    const { file } = manifest[name] ?? expect.fail(`The build has no ${name}.`);
    return readFileSync(join(ROOT, "dist/_app", file));
  });
}

it.each([
  ["the home page", ["home.html"], MAX_HOME_GZIP_BYTES, MAX_FILES],
  ["the API reference", ["docs.html"], MAX_DOCS_GZIP_BYTES, MAX_FILES],
  ["the first screen after signing in", FIRST_SCREEN, MAX_LIST_GZIP_BYTES, MAX_FILES],
  ["the page for signing in", ["app.html", SIGN_IN], MAX_SIGN_IN_GZIP_BYTES, MAX_FILES],
  ["the settings of keys", KEYS_SCREEN, MAX_KEYS_GZIP_BYTES, MAX_KEYS_FILES],
])("keeps the scripts of %s within their budget", (name, entries, budget, maxFiles) => {
  const scripts = scriptsOf(...entries);
  const bytes = scripts.reduce((sum, script) => sum + gzipSync(script).length, 0);
  console.log(`${name}: ${scripts.length} files, ${bytes} bytes, gzipped`);
  expect(scripts.length).toBeLessThanOrEqual(maxFiles);
  expect(bytes).toBeGreaterThan(1_000);
  expect(bytes).toBeLessThanOrEqual(budget);
});

it("keeps the style sheet and the font of the dashboard within their budgets", () => {
  const { css = [], assets = [] } = manifest["app.html"] ?? expect.fail("The build has no app.html.");
  const read = (files: readonly string[]) => files.map((file) => readFileSync(join(ROOT, "dist/_app", file)));
  const styles = read(css).map((content) => gzipSync(content).length);
  const fonts = read(assets.filter((file) => file.includes("-latin-wght-"))).map((content) => content.length);
  console.log(`the dashboard: style sheet ${styles.join()} bytes, gzipped; font ${fonts.join()} bytes`);
  expect([styles.length, fonts.length]).toEqual([1, 1]);
  expect(styles[0]).toBeLessThanOrEqual(MAX_STYLES_GZIP_BYTES);
  expect(fonts[0]).toBeLessThanOrEqual(MAX_FONT_BYTES);
});

it("keeps all that the largest page of the documents loads within its budget", () => {
  const { css = [], assets = [] } = manifest["guide.html"] ?? expect.fail("The build has no guide.html.");
  const read = (file: string) => readFileSync(join(ROOT, "dist/_app", file));
  const fonts = assets.filter((file) => file.endsWith(".woff2"));
  expect(css).toHaveLength(1);
  expect(fonts).toHaveLength(2);
  const shared = [...scriptsOf("guide.html"), ...css.map(read)].map((content) => gzipSync(content).length);
  const pages = globSync("dist/documents/**/*.html", { cwd: ROOT }).map(
    (file) => gzipSync(readFileSync(join(ROOT, file))).length,
  );
  expect(pages.length).toBeGreaterThan(50);
  const bytes = [...shared, ...fonts.map((file) => read(file).length), Math.max(...pages)].reduce((a, b) => a + b, 0);
  console.log(`the largest page of the documents: ${bytes} bytes, gzipped`);
  expect(bytes).toBeLessThanOrEqual(MAX_DOCUMENT_BYTES);
});

it("names the files of the page at a path in its HTML, which browsers load without waiting for the shared code", () => {
  const html = readFileSync(join(ROOT, "dist/pages/app.html"), "utf8");
  for (const name of [...LIST, SIGN_IN, ...KEYS]) expect(html).toContain(`"${manifest[name]?.file}"`);
});

it.each([[FIRST_SCREEN], [["app.html", SIGN_IN]], [KEYS_SCREEN]])(
  "keeps menus, dialogs and toasts out of %s",
  (entries) => {
    expect(scriptsOf(...entries).join("\n")).not.toMatch(/onPointerDownOutside|data-radix-popper-content-wrapper/);
  },
);

it("keeps the texts of other pages out of the first screen", () => {
  const loaded = scriptsOf(...FIRST_SCREEN).join("\n");
  expect(loaded).toContain(linkList.empty.text);
  for (const text of [settings.general.lead, settings.audit.lead, editor.social.lead, editor.readOnly])
    expect(loaded).not.toContain(text);
});

it.each([
  ["the rules of destinations", "not_http", "authorize/authorize-page.tsx"],
  ["the rules of destinations", "not_http", "settings/apps/apps.tsx"],
  ["the detection of browsers", "Windows Phone", "links/link-editor.tsx"],
])("keeps %s (%s) out of %s", (_, text, page) => {
  expect(scriptsOf("app.html", `src/features/${page}`).join("\n")).not.toContain(text);
});

it("has no sentences of the service, and the texts of errors only in the file that the first error loads", () => {
  const files = [...new Set(Object.values(manifest).map(({ file }) => file))].filter((file) => file.endsWith(".js"));
  const withText = (text: string) =>
    files.filter((file) => readFileSync(join(ROOT, "dist/_app", file), "utf8").includes(text));
  expect(withText(fieldFaults.not_http)).toHaveLength(1);
  expect(withText(refusals.no_free_slug)).toEqual(withText(fieldFaults.not_http));
  expect(withText(REFUSALS.broken_query)).toEqual([]);
});

it("has no React, in whose place Preact is", () => {
  const scripts = Object.values(manifest).filter(({ file }) => file.endsWith(".js"));
  const contents = scripts.map(({ file }) => readFileSync(join(ROOT, "dist/_app", file), "utf8")).join("\n");
  expect(contents).not.toContain("react.dev/");
  // A name of an event that only Preact's layer for React's interface has.
  expect(contents).toContain("oninputCapture");
});
