import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { ROOT } from "./wrangler.ts";

/** The files of the Worker's binding ASSETS: `_app/` for browsers, `pages/` for the Worker. */
const DIST = join(ROOT, "dist");
/** Has the hash of the sources that the dashboard was built from. */
export const STAMP = join(DIST, ".built");

/** Everything that a build can depend on. The dashboard imports modules of the Worker; all count, so that none is missed. */
const SOURCES = ["dashboard/**/*", "tools/scripts/build-{dashboard,pages}.ts", "src/**/*", "package-lock.json"];

/** Browsers keep files whose names contain a hash of their content. */
const HEADERS = `/_app/assets/*
  Cache-Control: public, max-age=31536000, immutable
/_app/*
  X-Content-Type-Options: nosniff
`;

/** What the build makes. */
const MADE = ["_app", "pages", "_headers"];

/** Builds the dashboard in all languages into dist/, unless the same sources were built there last. */
export function buildDashboard(): void {
  const newest = hashOfSources(SOURCES);
  const isThere = [STAMP, ...MADE.map((name) => join(DIST, name))].every((path) => existsSync(path));
  if (isThere && readFileSync(STAMP, "utf8") === newest) return;
  mkdirSync(DIST, { recursive: true });
  const made = mkdtempSync(join(DIST, ".build-"));
  try {
    // In a process of its own: tests and wrangler have other values of NODE_ENV.
    execFileSync(process.execPath, [join(ROOT, "tools/scripts/build-pages.ts"), made], {
      cwd: ROOT,
      env: { ...process.env, NODE_ENV: "production" },
      stdio: ["ignore", "inherit", "inherit"],
    });
    for (const part of ["_app", "pages"]) replace(join(DIST, part), join(made, part), join(made, `old-${part}`));
    writeFileSync(join(DIST, "_headers"), HEADERS);
    writeFileSync(STAMP, newest);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

/** Keeps the time without the folder short: a running server reads from it. */
function replace(folder: string, replacement: string, old: string): void {
  if (existsSync(folder)) renameSync(folder, old);
  renameSync(replacement, folder);
}

/** The hash of the files that match these patterns, by their paths and contents. */
export function hashOfSources(patterns: readonly string[]): string {
  const hash = createHash("sha256");
  const files = patterns
    .flatMap((pattern) => globSync(pattern, { cwd: ROOT, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)));
  for (const file of files.sort()) hash.update(`${file}\0`).update(readFileSync(join(ROOT, file)));
  return hash.digest("hex");
}

if (import.meta.main) buildDashboard();
