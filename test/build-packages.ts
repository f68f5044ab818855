import { execFileSync } from "node:child_process";
import { COMMAND_TIMEOUT_MS } from "./support/command-timeout.ts";

/** Builds the packages, which tests use by their names, before any test. */
export default function buildPackages(): void {
  execFileSync("npm", ["run", "--silent", "build:packages"], { stdio: "inherit", timeout: COMMAND_TIMEOUT_MS });
}
