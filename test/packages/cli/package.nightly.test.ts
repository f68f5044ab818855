import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readDocument } from "../sdk/support/operations.ts";
import { temporaryFolder } from "../../tools/scripts/support/command.ts";
import { COMMAND_TIMEOUT_MS } from "../../support/command-timeout.ts";

const run = (command: string, args: string[], cwd = ".") =>
  execFileSync(command, args, { cwd, encoding: "utf8", timeout: COMMAND_TIMEOUT_MS });

/** Packs folders of packages into another folder. Returns what npm says of each. */
function pack(folders: string[], destination: string) {
  // The packages are built, and other tests use them meanwhile.
  const options = ["--json", "--ignore-scripts", `--pack-destination=${destination}`];
  return JSON.parse(run("npm", ["pack", ...options, ...folders])) as { filename: string; files: { path: string }[] }[];
}

it("is packed, and runs where it is installed with the SDK", () => {
  const folder = temporaryFolder();
  // The packages that the command needs are packed too, from where npm has installed them: nothing is downloaded.
  const needed = run("npm", ["ls", "--workspace=@tern/cli", "--all", "--omit=dev", "--parseable"]).trim().split("\n");
  const dependencies = needed.filter((path) => path.includes("/node_modules/") && !path.includes("@tern"));
  const packed = pack(["./packages/sdk", "./packages/cli", ...dependencies], folder);
  const names = packed[1]?.files.map(({ path }) => path) ?? [];
  expect(names).toEqual(expect.arrayContaining(["package.json", "README.md", "LICENSE", "dist/main.js"]));
  expect(names.filter((name) => !/^(dist\/[\w/-]+\.js|package\.json|README\.md|LICENSE)$/.test(name))).toEqual([]);

  writeFileSync(join(folder, "package.json"), "{}");
  const files = packed.map(({ filename }) => `./${filename}`);
  run("npm", ["install", "--offline", "--ignore-scripts", ...files], folder);
  const tern = join(folder, "node_modules/.bin/tern");
  expect(run(tern, ["--version"], folder)).toBe(`${versionOf("packages/cli/package.json")}\n`);
  expect(run(tern, ["--help"], folder)).toContain("Usage: tern");
  // The SDK is there too: it refuses this key.
  const env = { ...process.env, TERN_API_KEY: "x", TERN_BASE_URL: "https://go.example" };
  expect(() => execFileSync(tern, ["whoami"], { env, stdio: "pipe" })).toThrow("The API key must be");
});

it("has the version of the service and of the SDK", async () => {
  const { dependencies } = readPackage("packages/cli/package.json");
  const { info } = JSON.parse((await readDocument()).text) as { info: { version: string } };
  const versions = [
    versionOf("packages/cli/package.json"),
    versionOf("packages/sdk/package.json"),
    dependencies["@tern/sdk"],
    info.version,
  ];
  expect(versions).toEqual(versions.map(() => versionOf("package.json")));
});

function readPackage(path: string) {
  return JSON.parse(readFileSync(path, "utf8")) as { version: string; dependencies: Record<string, string> };
}

const versionOf = (path: string) => readPackage(path).version;
