import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { Failure, runCommand, WRONG_USAGE } from "./command.ts";
import { extensionVersion, packExtension } from "./pack-extension.ts";
import { ROOT } from "./wrangler.ts";

const USAGE = `Usage: npm run pack -- --out DIR [--tag TAG]

Packs the SDK and the command line into files that npm installs without a clone of the project, and the browser extension
into a ZIP file. The file of the command line has all it needs, so no other package is downloaded. Run npm run
build:packages before.
  --out DIR  the folder of the files; it is made if it is missing
  --tag TAG  refuse unless the versions of the packages are that of the tag, such as v1.2.3`;

interface Package {
  name: string;
  version: string;
  dependencies?: Record<string, string>;
}

/** `npm run pack`. */
async function pack(args: string[]): Promise<void> {
  const { out, tag } = readArguments(args);
  const [sdk, cli] = [join(ROOT, "packages/sdk"), join(ROOT, "packages/cli")];
  for (const folder of [sdk, cli]) {
    const { name, version } = readPackage(folder);
    if (tag !== undefined && tag !== `v${version}`)
      throw new Failure(`${name} has the version ${version}, and the tag is ${tag}.`);
    if (!existsSync(join(folder, "dist"))) throw new Failure(`${name} is not built: npm run build:packages`);
  }
  if (tag !== undefined && tag !== `v${extensionVersion()}`)
    throw new Failure(`The browser extension has the version ${extensionVersion()}, and the tag is ${tag}.`);
  mkdirSync(out, { recursive: true });
  packFolder(sdk, out);
  const staging = mkdtempSync(join(tmpdir(), "tern-pack-"));
  try {
    stageWithDependencies(cli, staging);
    packFolder(staging, out);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
  console.log(await packExtension(out));
}

/** Copies the package, and into its node_modules every package that it needs. */
function stageWithDependencies(folder: string, staging: string): void {
  const own = readPackage(folder);
  for (const name of ["dist", "README.md", "LICENSE"])
    cpSync(join(folder, name), join(staging, name), { recursive: true });
  copyDependencies(folder, own, join(staging, "node_modules"));
  const { scripts: _, ...published } = own as Package & { scripts?: object };
  const text = JSON.stringify({ ...published, bundleDependencies: true }, null, 2);
  writeFileSync(join(staging, "package.json"), `${text}\n`);
}

function copyDependencies(folder: string, { dependencies = {} }: Package, target: string): void {
  for (const name of Object.keys(dependencies)) {
    const source = findPackage(name, folder);
    const found = readPackage(source);
    const copy = join(target, name);
    if (existsSync(copy)) {
      const { version } = readPackage(copy);
      if (version !== found.version)
        throw new Error(`${name} is needed in the versions ${version} and ${found.version}`);
      continue;
    }
    cpSync(source, copy, { recursive: true, filter: (path) => !path.slice(source.length).includes("node_modules") });
    copyDependencies(source, found, target);
  }
}

/** Returns the folder of the package that Node.js would find from `folder`. */
function findPackage(name: string, folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    const path = join(at, "node_modules", name);
    // A package of this project is a link to its folder.
    if (existsSync(path)) return realpathSync(path);
    if (at === dirname(at)) throw new Failure(`The package ${name} is not installed: npm ci`);
  }
}

function packFolder(folder: string, out: string): void {
  // The packages are built: their own scripts would build them again.
  const args = ["pack", "--silent", "--ignore-scripts", `--pack-destination=${out}`];
  const name = execFileSync("npm", args, { cwd: folder, encoding: "utf8" }).trim();
  console.log(join(out, name));
}

function readPackage(folder: string): Package {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Package;
}

function readArguments(args: string[]): { out: string; tag: string | undefined } {
  try {
    const { out, tag } = parseArgs({ args, options: { out: { type: "string" }, tag: { type: "string" } } }).values;
    if (out === undefined || out === "") throw new Error("--out DIR is missing.");
    return { out: resolve(ROOT, out), tag };
  } catch (error) {
    throw new Failure(`${(error as Error).message}\n\n${USAGE}`, WRONG_USAGE);
  }
}

if (import.meta.main) await runCommand(pack, USAGE);
