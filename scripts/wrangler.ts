import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { join, resolve } from "node:path";
import { Failure } from "./command.ts";

export const ROOT = resolve(import.meta.dirname, "..");

/** Run with this Node: wrangler needs a newer one than a machine may have. */
export const WRANGLER = join(ROOT, "node_modules/wrangler/bin/wrangler.js");

/** What keeps wrangler from looking things up in the network that nobody here asked for. */
export function wranglerEnvironment(): NodeJS.ProcessEnv {
  return {
    CLOUDFLARE_CF_FETCH_ENABLED: "false",
    WRANGLER_SEND_METRICS: "false",
    WRANGLER_HIDE_BANNER: "true",
    WRANGLER_LOG_PATH: ".wrangler/logs",
    ...process.env,
  };
}

/** What wrangler said when it failed. */
export class WranglerFailure extends Failure {}

/** Runs wrangler in this terminal, where it may ask and show what it does. */
export async function runWrangler(args: readonly string[]): Promise<void> {
  const { exitCode } = await run(args, "inherit");
  if (exitCode !== 0) throw new Failure(`wrangler ${args[0]} failed; its message is above.`, exitCode);
}

/** Runs wrangler and answers what it printed, which is shown only if it fails. */
export async function readWrangler(args: readonly string[]): Promise<string> {
  const { exitCode, output, errors } = await run(args, "pipe");
  if (exitCode !== 0) throw new WranglerFailure(`${errors}${output}`.trim(), exitCode);
  return output;
}

/** Whether wrangler can do this, such as find something by its name. */
export async function wranglerSucceeds(args: readonly string[]): Promise<boolean> {
  return (await run(args, "pipe")).exitCode === 0;
}

interface Outcome {
  exitCode: number;
  output: string;
  errors: string;
}

async function run(args: readonly string[], stdio: "inherit" | "pipe"): Promise<Outcome> {
  const child = spawn(process.execPath, [WRANGLER, ...args], {
    cwd: ROOT,
    env: wranglerEnvironment(),
    stdio: ["inherit", stdio, stdio],
  });
  const ended = new Promise<number>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve(code ?? 1));
  });
  const [exitCode, output, errors] = await Promise.all([
    ended,
    child.stdout === null ? "" : text(child.stdout),
    child.stderr === null ? "" : text(child.stderr),
  ]);
  return { exitCode, output, errors };
}
