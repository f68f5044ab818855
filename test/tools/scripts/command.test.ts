import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../../../tools/scripts/wrangler.ts";
import { runScript } from "./support/command.ts";
import { COMMAND_TIMEOUT_MS } from "../../support/command-timeout.ts";

const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { scripts: Record<string, string> };

test("--help prints the usage; an unknown option is named without wrangler's help", async () => {
  const calls = ["account.ts", "deploy.ts", "start.ts"].map((script) => runScript(script, ["--help"]));
  for (const { exitCode, output, errors } of await Promise.all(calls)) {
    expect([exitCode, errors]).toEqual([0, ""]);
    expect(output).toMatch(/^Usage: npm (start|run \w+) -- /);
  }
  const { exitCode, output, errors } = await runScript("start.ts", ["--prot", "8799"]);
  expect([exitCode, output]).toEqual([2, ""]);
  expect(errors).toMatch(/^wrangler dev has no option --prot\. .*\n$/);
});

test("each command in TypeScript tells a Node.js that cannot read it what to do", () => {
  const commands = Object.entries(scripts).filter(([, command]) => /^node .*\.ts$/.test(command));
  expect(commands.map(([name]) => name)).toEqual(expect.arrayContaining(["start", "account", "deploy"]));
  for (const [, command] of commands) {
    const args = ["--no-experimental-strip-types", ...command.split(" ").slice(1)];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: ROOT,
      encoding: "utf8",
      timeout: COMMAND_TIMEOUT_MS,
    });
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^Node\.js \S+ cannot run this command\.[^]*\n {2}npm rebuild node esbuild workerd\n$/);
  }
});
