import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { ROOT } from "./e2e/support/build.ts";

/** Builds the packages sdk and cli, which tests use as their users do. */
export default function buildPackages(): void {
  for (const name of ["sdk", "cli"]) {
    execFileSync(process.execPath, [join(ROOT, "node_modules/typescript/bin/tsc"), "-p", join(ROOT, name)], {
      stdio: "inherit",
    });
  }
}
