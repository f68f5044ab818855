import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Uint8ArrayReader, Uint8ArrayWriter, ZipWriter } from "@zip.js/zip.js";
import { build } from "vite";
import { ROOT } from "./wrangler.ts";

/** The time of all files in the archive, so that the same sources make the same archive. */
const FILE_TIME = new Date(2026, 0, 1);

/** The version that the manifest of the browser extension names. */
export function extensionVersion(): string {
  const manifest = readFileSync(join(ROOT, "packages/extension/public/manifest.json"), "utf8");
  return (JSON.parse(manifest) as { version: string }).version;
}

/** Builds the browser extension into a folder, which a browser can load unpacked. */
export async function buildExtension(outDir: string): Promise<void> {
  const configFile = join(ROOT, "packages/extension/vite.config.ts");
  await build({ configFile, logLevel: "warn", build: { outDir, emptyOutDir: true } });
}

/** Packs the browser extension into a ZIP file for the stores of browsers. Returns the path of the file. */
export async function packExtension(out: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "tern-extension-"));
  try {
    await buildExtension(folder);
    const archive = new ZipWriter(new Uint8ArrayWriter(), { lastModDate: FILE_TIME, useWebWorkers: false });
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const paths = files.map((file) => join(file.parentPath, file.name)).sort();
    for (const path of paths)
      await archive.add(path.slice(folder.length + 1), new Uint8ArrayReader(readFileSync(path)));
    const file = join(out, `tern-extension-${extensionVersion()}.zip`);
    writeFileSync(file, await archive.close());
    return file;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
