import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { hashOfSources } from "../tools/scripts/build-dashboard.ts";
import { ROOT } from "../tools/scripts/wrangler.ts";
import { COMMAND_TIMEOUT_MS } from "./support/command-timeout.ts";

/** Everything that the packages depend on: the types of the SDK are made from the OpenAPI document. */
const SOURCES = [
  "packages/{cli,sdk}/{package.json,tsconfig.json}",
  "packages/cli/src/**/*",
  "packages/sdk/src/{,namespaces/}*.ts",
  "tools/scripts/{sdk-types.ts,sdk-types/*}",
  "src/**/*",
  "package-lock.json",
];
const BUILT = ["packages/cli/dist/main.js", "packages/sdk/dist/index.js"];
const STAMP = "node_modules/.cache/packages";

/** Builds the packages, which tests use by their names, unless the same sources were built last. */
export default function buildPackages(): void {
  const newest = hashOfSources(SOURCES);
  const isBuilt = [STAMP, ...BUILT].every((path) => existsSync(join(ROOT, path)));
  if (isBuilt && readFileSync(join(ROOT, STAMP), "utf8") === newest) return;
  execFileSync("npm", ["run", "--silent", "build:packages"], { stdio: "inherit", timeout: COMMAND_TIMEOUT_MS });
  mkdirSync(join(ROOT, dirname(STAMP)), { recursive: true });
  writeFileSync(join(ROOT, STAMP), newest);
}
