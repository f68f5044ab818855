import { execFileSync } from "node:child_process";

/** Builds the packages, which tests use by their names, before any test. */
export default function buildPackages(): void {
  execFileSync("npm", ["run", "--silent", "build:packages"], { stdio: "inherit" });
}
