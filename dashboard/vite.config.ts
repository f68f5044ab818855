import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import { directionOf, LANGUAGES } from "#src/platform/languages.ts";
import { defineConfig, normalizePath, type Plugin, type UserConfig } from "vite";
import { pageFirst } from "./page-first.ts";

/** Where `npm run dashboard` finds the running service. */
const SERVICE_URL = process.env["TERN_URL"] ?? "http://localhost:8787";

/** In development, serves the pages at the paths at which the Worker serves them. */
const pagePaths: Plugin = {
  name: "page-paths",
  configureServer(server) {
    server.middlewares.use((request, _, next) => {
      const path = request.url?.split("?")[0] ?? "";
      if (path === "/") request.url = "/home.html";
      else if (path === "/docs/reference") request.url = "/docs.html";
      else if (path === "/app" || (path.startsWith("/app/") && !path.includes("."))) request.url = "/app.html";
      next();
    });
  },
};

const sourceOf = (name: string): string => readFileSync(join(import.meta.dirname, "src", name), "utf8");

/** The colours of src/styles.css by their names. */
function readColors(): Record<string, string> {
  const colors = sourceOf("styles.css").matchAll(/--color-([a-z-]+): (.+);/g);
  return Object.fromEntries([...colors].map(([, name = "", value = ""]) => [name, value]));
}

/** What the heads of all pages have. */
const HEAD = readFileSync(join(import.meta.dirname, "head.html"), "utf8").trim();

/**
 * The folder with the texts of a language, without a slash at its end. They are modules with the names of the English ones, there and
 * in a file beside it: `de/keys.ts` and `de.ts` in place of `en/keys.ts` and `en.ts`.
 */
const textsIn = (language: string) => normalizePath(join(import.meta.dirname, "src/texts", language));

const ENGLISH = textsIn("en");

/** A language, with its direction, as in the attributes of `<html>`. */
export interface PageLanguage {
  lang: string;
  dir: "ltr" | "rtl";
  /** The folder of its texts. */
  texts: string;
}

/** A language of `LANGUAGES` (src/platform/languages.ts). */
export const languageOf = (lang: string): PageLanguage => ({ lang, dir: directionOf(lang), texts: textsIn(lang) });

/** Puts the texts of the language in the place of the English ones, so that a page loads only its own. */
const textsOf = ({ texts }: PageLanguage): Plugin => ({
  name: "texts-of-language",
  enforce: "pre",
  async resolveId(id, importer, options) {
    if (!/\/en[./]/.test(id) || importer === undefined || normalizePath(importer).startsWith(texts)) return null;
    const resolved = await this.resolve(id, importer, { ...options, skipSelf: true });
    const path = resolved === null ? "" : normalizePath(resolved.id);
    return /^[./]/.test(path.slice(ENGLISH.length)) && path.startsWith(ENGLISH)
      ? texts + path.slice(ENGLISH.length)
      : resolved;
  },
});

/** The buttons of the home page that choose a language, with the one that is shown marked. */
const languageButtons = (shown: string): string =>
  Object.entries(LANGUAGES)
    .map(([lang, name]) => {
      const mark = lang === shown ? ' aria-current="true"' : "";
      return `<button type="button" lang="${lang}"${mark}>${name}</button>`;
    })
    .join("");

/** Inserts the common head, language, texts, colours and the mark into the pages: `%home.title%` is `texts.home.title`. */
const pageTexts = ({ lang, dir, texts }: PageLanguage): Plugin => ({
  name: "page-texts",
  transformIndexHtml: {
    order: "pre",
    async handler(html) {
      const modules = ["home", "docs", "frame", "language", "ui"].map(
        (part) => import(pathToFileURL(`${texts}/${part}.ts`).href),
      );
      const known: unknown = Object.assign({ lang, dir, color: readColors() }, ...(await Promise.all(modules)));
      return html
        .replace("%head%", HEAD)
        .replace("%languages%", languageButtons(lang))
        .replaceAll("%mark%", sourceOf("assets/tern.svg"))
        .replace(/%([a-z][\w.]*)%/gi, (_, path: string) => {
          let text = known;
          for (const name of path.split(".")) text = (text as Record<string, unknown> | undefined)?.[name];
          if (typeof text !== "string") throw new Error(`There is no text ${path}.`);
          return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
        });
    },
  },
});

const COUNTRIES = join(import.meta.dirname, "src/features/analytics/countries.ts");

/** Puts what the module with the map exports in its place. */
const drawnMap: Plugin = {
  name: "drawn-map",
  enforce: "pre",
  async load(id) {
    if (id !== normalizePath(COUNTRIES)) return null;
    const values = Object.entries((await import(pathToFileURL(COUNTRIES).href)) as object);
    return values.map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`).join("\n");
  },
};

/** Fails the build if a page would get a module of Node, for which the bundler puts an empty one. */
const withoutNode: Plugin = {
  name: "without-node",
  enforce: "pre",
  resolveId(id, importer) {
    if (id.startsWith("node:")) this.error(`Browsers have no ${id}, which ${importer} imports.`);
  },
};

/** Moves the style sheet of the dashboard behind the frame, so that the frame is painted before the sheet is there. */
const frameFirst: Plugin = {
  name: "frame-first",
  transformIndexHtml: {
    order: "post",
    handler: (html) => {
      if (!html.includes('id="frame"')) return html;
      const sheets = html.match(/ *<link rel="stylesheet"[^>]*>\n?/g) ?? [];
      return sheets
        .reduce((page, sheet) => page.replace(sheet, ""), html)
        .replace("  </body>", `${sheets.join("")}  </body>`);
    },
  },
};

/**
 * The pages are written for React's interface and run on Preact (docs/adr/0053-pages-on-preact.md). The packages react and
 * react-dom are installed for their types and as the peers of libraries.
 */
const PREACT = [
  { find: /^react(-dom)?$/, replacement: "preact/compat" },
  { find: "react-dom/client", replacement: "preact/compat/client" },
  { find: /^react\/jsx-(dev-)?runtime$/, replacement: "preact/jsx-runtime" },
];

/**
 * What many pages share and the first screen after signing in does not show: without a group of their own, these modules are
 * in the file "common", which the first screen loads.
 */
const AFTER_FIRST_SCREEN =
  /dashboard.src.(features.(analytics|mail-reports|settings)|api.tag-choices|lib.paused|ui.(choices|combobox|dialog|form-dialog|input-field)|texts.[a-z]+.(analytics|editor|editor-groups|mail-reports|settings)\b)|src.(clicks.analytics|moving.exports)\b/;

/**
 * Groups of modules that several pages load; a module belongs to the first group by priority. Without them, the bundler makes
 * a file for nearly every icon that two pages share (test/architecture/dashboard.test.ts counts the files).
 */
const CHUNKS = [
  // All that the home page has of every other page. It has no Preact.
  {
    name: "api",
    test: /dashboard.src.(api.client|lib.(clipboard|kept-language|urls))\.ts$|src.(limits|platform.(languages|http.fault-codes|lib.hosts))\.ts$/,
    priority: 6,
  },
  // The rules of destinations, which the home page and the link editor share.
  {
    name: "destinations",
    test: /src.(links.destination(-host)?|platform.lib.(punycode|slug))\.ts$|node_modules.punycode/,
    priority: 5,
  },
  { name: "preact", test: /node_modules.preact[\\/]|dashboard.src.lib.preact/, priority: 4 },
  // What the API reference shares with the dashboard.
  {
    name: "controls",
    test: /dashboard.src.ui.(brand|button|copy|field|layout|notice|tooltip|toast)\.tsx$/,
    priority: 3,
  },
  // What several pages of visitors share.
  {
    name: "visitors",
    test: /features.sign-in|dashboard.src.(identity|ui.(input-field|open-layout))|texts.[a-z]+.sign-in/,
    minShareCount: 2,
    priority: 2,
    includeDependenciesRecursively: false,
  },
  // Menus, panels, dialogs and toasts, none of which is open on a first screen: one file, loaded before the first one opens.
  {
    name: "overlays",
    test: /dashboard.src.ui.(open-dialog|open-menu|open-popover|toast-list)\.tsx$|node_modules.(@floating-ui|@radix-ui.(?!react-(slot|compose-refs))|aria-hidden|react-remove-scroll|react-style-singleton|use-callback-ref|use-sidecar)/,
    priority: 3,
    includeDependenciesRecursively: false,
  },
  { name: "icons", test: /lucide-react/, minShareCount: 2, priority: 2 },
  { name: "common", test: (id: string) => !AFTER_FIRST_SCREEN.test(id), minShareCount: 5, priority: 1 },
  // What several sections of the settings share.
  {
    name: "settings",
    test: /features.settings.[a-z-]+\.tsx?$/,
    minShareCount: 2,
    priority: 1,
    includeDependenciesRecursively: false,
  },
  // What these modules import stays where the first screen has it.
  { name: "later", test: AFTER_FIRST_SCREEN, minShareCount: 5, priority: 0, includeDependenciesRecursively: false },
];

/** How the pages are built and served in a language. */
export const pagesIn = (language: PageLanguage): UserConfig => ({
  root: import.meta.dirname,
  appType: "mpa",
  plugins: [
    tailwindcss(),
    withoutNode,
    drawnMap,
    textsOf(language),
    pagePaths,
    pageTexts(language),
    frameFirst,
    pageFirst,
  ],
  html: { cspNonce: "__NONCE__" },
  resolve: { alias: PREACT },
  build: {
    target: "es2023",
    modulePreload: { polyfill: false },
    // Files of their own, which browsers keep between versions. The policy allows data URLs for logos of QR codes.
    assetsInlineLimit: 0,
    manifest: true,
    reportCompressedSize: false,
    rolldownOptions: {
      // The directive "use client" of libraries has no meaning here.
      onLog: (level, log, handle) => {
        if (log.code !== "MODULE_LEVEL_DIRECTIVE") handle(level, log);
      },
      // A page gets only the texts that it shows.
      treeshake: { moduleSideEffects: [{ test: /dashboard\/src\/(texts|lib\/format)/, sideEffects: false }] },
      output: { codeSplitting: { groups: CHUNKS } },
      input: ["home", "docs", "guide", "app"].map((name) => join(import.meta.dirname, `${name}.html`)),
    },
  },
  server: {
    port: 5173,
    strictPort: true,
    // The service accepts changes only from its own origin.
    proxy: {
      "/api": {
        target: SERVICE_URL,
        changeOrigin: true,
        ws: true,
        rewriteWsOrigin: true,
        headers: { Origin: SERVICE_URL },
      },
    },
  },
});

// For `npm run dashboard`. tools/scripts/build-pages.ts builds the pages.
export default defineConfig(pagesIn(languageOf(process.env["DASHBOARD_LANGUAGE"] ?? "en")));
