import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { TextWriter, Uint8ArrayReader, ZipReader } from "@zip.js/zip.js";
import { beforeAll, expect, it } from "vitest";
import { ROOT } from "../../../tools/scripts/wrangler.ts";
import { runScript, temporaryFolder } from "./support/command.ts";
import { COMMAND_TIMEOUT_MS } from "../../support/command-timeout.ts";

// The files of a release, installed in empty folders by an npm that may not download anything.

const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string };

let files: string;
beforeAll(async () => {
  files = join(temporaryFolder(), "files");
  const { exitCode, output, errors } = await runScript("pack.ts", ["--out", files, "--tag", `v${version}`]);
  expect([exitCode, errors]).toEqual([0, ""]);
  const paths = ["sdk", "cli"].map((name) => `${join(files, `tern-${name}-${version}.tgz`)}\n`);
  expect(output).toBe(`${paths.join("")}${extensionFile()}\n`);
});

const extensionFile = () => join(files, `tern-extension-${version}.zip`);

it("the file of the browser extension has the pages that its manifest names", async () => {
  const archive = new ZipReader(new Uint8ArrayReader(readFileSync(extensionFile())), { useWebWorkers: false });
  const entries = (await archive.getEntries()).filter((entry) => !entry.directory);
  const names = entries.map(({ filename }) => filename);
  const manifest = JSON.parse(
    (await entries.find(({ filename }) => filename === "manifest.json")?.getData(new TextWriter())) ?? "{}",
  ) as {
    version: string;
    icons: Record<string, string>;
    action: { default_popup: string };
    options_ui: { page: string };
  };
  expect(manifest.version).toBe(version);
  const named = [manifest.action.default_popup, manifest.options_ui.page, ...Object.values(manifest.icons)];
  expect(names).toEqual(expect.arrayContaining(named));
});

function install(folder: string, ...args: string[]) {
  // An empty cache, so that nothing can come from a package that was downloaded before.
  const options = ["--offline", `--cache=${join(folder, "cache")}`];
  execFileSync("npm", ["install", ...options, ...args], { cwd: folder, stdio: "pipe", timeout: COMMAND_TIMEOUT_MS });
}

it("the file of the command line is all that npm needs to install it", () => {
  const folder = temporaryFolder();
  install(folder, "--global", `--prefix=${folder}`, join(files, `tern-cli-${version}.tgz`));
  const tern = join(folder, "bin/tern");
  expect(execFileSync(tern, ["--version"], { encoding: "utf8" })).toBe(`${version}\n`);
  expect(execFileSync(tern, ["--help"], { encoding: "utf8" })).toContain("Usage: tern");
  // The SDK is there too: it refuses this key.
  const env = { ...process.env, TERN_API_KEY: "x", TERN_BASE_URL: "https://go.example" };
  expect(() => execFileSync(tern, ["whoami"], { env, stdio: "pipe" })).toThrow("The API key must be");
});

it("the file of the SDK can be installed and imported", () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  install(folder, join(files, `tern-sdk-${version}.tgz`));
  writeFileSync(join(folder, "use.js"), 'import { Tern } from "@tern/sdk";\nconsole.log(typeof Tern);\n');
  expect(execFileSync(process.execPath, ["use.js"], { cwd: folder, encoding: "utf8" })).toBe("function\n");
});

it("a tag that is not the version is refused", async () => {
  const { exitCode, errors } = await runScript("pack.ts", ["--out", files, "--tag", "v9.9.9"]);
  expect([exitCode, errors]).toEqual([1, `@tern/sdk has the version ${version}, and the tag is v9.9.9.\n`]);
});

it("the workflow publishes with provenance and without a stored token, and runs what this project has", () => {
  const workflow = readFileSync(join(ROOT, ".github/workflows/release.yml"), "utf8");
  const [files = "", publish = ""] = workflow.split(/^ {2}publish:$/m);
  expect(publish).toContain("id-token: write");
  expect(files).not.toContain("id-token: write");
  expect(workflow).not.toMatch(/secrets\.|_TOKEN: \$\{\{ (?!github\.token)/);
  const { scripts } = readJson("package.json") as { scripts: object };
  const named = Array.from(workflow.matchAll(/npm run (\S+)/g), ([, name = ""]) => name);
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named));
  for (const [file] of workflow.matchAll(/test\/\S+\.test\.ts/g))
    expect(() => readFileSync(join(ROOT, file))).not.toThrow();
  for (const name of ["sdk", "cli"])
    expect(readJson(`packages/${name}/package.json`)).toMatchObject({
      publishConfig: { access: "public", provenance: true },
    });
});

const readJson = (file: string) => JSON.parse(readFileSync(join(ROOT, file), "utf8")) as object;
