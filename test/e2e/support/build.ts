import { createHash } from "node:crypto";
import { existsSync, globSync, mkdtempSync, readFileSync, renameSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, parse } from "node:path";
import { readWrangler, ROOT, wrangler } from "../../../tools/scripts/wrangler.ts";

export { ROOT };

export interface Metafile {
  inputs: Record<string, { imports: { path: string; kind: string; external?: boolean; original?: string }[] }>;
  /** How much of each input is in the bundle. */
  outputs: Record<string, { inputs: Record<string, { bytesInOutput: number }> }>;
}

export interface Build {
  /** The whole Worker as one module. */
  script: string;
  metafile: Metafile;
}

const MAIN = "src/index.ts";

/**
 * Bundles the Worker as for production, or another entry point that imports it. Builds are stored under the hash of their
 * sources, so test files share them. A build that is not minified has the names of its modules.
 */
export async function buildWorker(main = MAIN, isMinified = true): Promise<Build> {
  const directory = join(tmpdir(), `tern-build-${isMinified ? "" : "named-"}${hashOfSources(main)}`);
  if (!existsSync(directory)) await bundleInto(directory, main, isMinified);
  return {
    script: readFileSync(join(directory, `${parse(main).name}.js`), "utf8"),
    metafile: JSON.parse(readFileSync(join(directory, "bundle-meta.json"), "utf8")) as Metafile,
  };
}

function hashOfSources(main: string): string {
  const hash = createHash("sha256").update(`${main}\0`);
  const around = main === MAIN ? [] : globSync(`${dirname(main)}/*.{js,ts}`, { cwd: ROOT });
  const sources = [...globSync("src/**/*.ts", { cwd: ROOT }), ...around].sort();
  for (const path of [...sources, "wrangler.toml", "package-lock.json"]) {
    hash.update(`${path}\0`).update(readFileSync(join(ROOT, path)));
  }
  return hash.digest("hex").slice(0, 32);
}

async function bundleInto(directory: string, main: string, isMinified: boolean): Promise<void> {
  const made = mkdtempSync(`${directory}-`);
  const options = isMinified ? [] : ["--no-minify"];
  await readWrangler(wrangler, ["deploy", main, "--dry-run", "--outdir", made, "--metafile", ...options]);
  try {
    renameSync(made, directory);
  } catch (error) {
    // Another process has made the same build.
    if (!existsSync(directory)) throw error;
  }
}
