import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { build } from "vite";
import { languageOf, pagesIn, type PageLanguage } from "../../dashboard/vite.config.ts";
import { LANGUAGES } from "../../src/platform/languages.ts";

/** The pages that are built in English only, and those in every language. */
const ENGLISH_PAGES = ["docs", "guide"];
const PAGES = ["home", "app"];

/**
 * Builds the pages in a language into a folder: `_app/` for browsers, `pages/` for the Worker. Languages share the folder
 * `_app/assets`: the names of its files have a hash of the content, so what has no text is there once.
 */
export async function buildPages(language: PageLanguage, folder: string): Promise<void> {
  const outDir = join(folder, language.lang);
  const config = pagesIn(language);
  await build({
    ...config,
    configFile: false,
    base: "/_app/",
    logLevel: "warn",
    build: { ...config.build, outDir, emptyOutDir: true },
  });
  const isEnglish = language.lang === "en";
  const suffix = isEnglish ? "" : `.${language.lang}`;
  for (const made of ["pages", "_app/assets", "_app/.vite"]) mkdirSync(join(folder, made), { recursive: true });
  for (const page of isEnglish ? [...PAGES, ...ENGLISH_PAGES] : PAGES)
    renameSync(join(outDir, `${page}.html`), join(folder, "pages", `${page}${suffix}.html`));
  renameSync(join(outDir, ".vite/manifest.json"), join(folder, `_app/.vite/manifest${suffix}.json`));
  for (const name of readdirSync(join(outDir, "assets"))) {
    const [from, to] = [join(outDir, "assets", name), join(folder, "_app/assets", name)];
    if (existsSync(to) && !readFileSync(to).equals(readFileSync(from)))
      throw new Error(`Two languages have different files with the name ${name}.`);
    copyFileSync(from, to);
  }
}

if (import.meta.main) {
  const [, , folder] = process.argv;
  if (folder === undefined) throw new Error("Usage: build-pages.ts FOLDER");
  // One after the other: at once, they take as long.
  for (const name of Object.keys(LANGUAGES)) await buildPages(languageOf(name), folder);
}
