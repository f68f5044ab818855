import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, globSync, mkdtempSync, readFileSync, renameSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, parse, resolve } from "node:path";
import { promisify } from "node:util";

export const ROOT = resolve(import.meta.dirname, "../../..");

export interface Metafile {
  inputs: Record<string, { imports: { path: string; kind: string; external?: boolean }[] }>;
  /** What of each input is in the bundle, and in the map beside it. */
  outputs: Record<string, { inputs: Record<string, { bytesInOutput: number }> }>;
}

export interface Build {
  /** The whole Worker, one module. */
  script: string;
  metafile: Metafile;
}

const MAIN = "src/index.ts";

/**
 * The Worker bundled as for production, or another one around it. A build is kept under a name made of its sources,
 * so test files share it.
 */
export async function buildWorker(main = MAIN): Promise<Build> {
  const directory = join(tmpdir(), `tern-build-${hashOfSources(main)}`);
  if (!existsSync(directory)) await bundleInto(directory, main);
  return {
    script: readFileSync(join(directory, `${parse(main).name}.js`), "utf8"),
    metafile: JSON.parse(readFileSync(join(directory, "bundle-meta.json"), "utf8")) as Metafile,
  };
}

function hashOfSources(main: string): string {
  const hash = createHash("sha256").update(`${main}\0`);
  const around = main === MAIN ? [] : globSync(`${dirname(main)}/*.js`, { cwd: ROOT });
  const sources = [...globSync("src/**/*.ts", { cwd: ROOT }), ...around].sort();
  for (const path of [...sources, "wrangler.toml", "package-lock.json"]) {
    hash.update(`${path}\0`).update(readFileSync(join(ROOT, path)));
  }
  return hash.digest("hex").slice(0, 32);
}

async function bundleInto(directory: string, main: string): Promise<void> {
  const made = mkdtempSync(`${directory}-`);
  await promisify(execFile)(
    process.execPath,
    ["node_modules/wrangler/bin/wrangler.js", "deploy", main, "--dry-run", "--outdir", made, "--metafile"],
    {
      cwd: ROOT,
      env: {
        ...process.env,
        CLOUDFLARE_CF_FETCH_ENABLED: "false",
        WRANGLER_SEND_METRICS: "false",
        WRANGLER_HIDE_BANNER: "true",
        WRANGLER_LOG_PATH: ".wrangler/logs",
      },
    },
  );
  try {
    renameSync(made, directory);
  } catch (error) {
    // Another process was quicker.
    if (!existsSync(directory)) throw error;
  }
}
