import { spawn } from "node:child_process";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { Failure } from "./command.ts";

export const ROOT = resolve(import.meta.dirname, "../..");

export const CONFIG_FILE = join(ROOT, "wrangler.toml");

/** Run by the project's own Node.js, because wrangler needs a newer version than the machine may have. */
export const WRANGLER = join(ROOT, "node_modules/wrangler/bin/wrangler.js");

/** Keeps wrangler from network requests that nobody asked for. */
export function wranglerEnvironment(): NodeJS.ProcessEnv {
  return {
    CLOUDFLARE_CF_FETCH_ENABLED: "false",
    WRANGLER_SEND_METRICS: "false",
    WRANGLER_HIDE_BANNER: "true",
    WRANGLER_LOG_PATH: ".wrangler/logs",
    ...process.env,
  };
}

interface WranglerOutcome {
  exitCode: number;
  /** Both are empty if wrangler ran in this terminal. */
  output: string;
  errors: string;
}

/** Runs wrangler with these arguments: "inherit" in this terminal, "pipe" with its output in the outcome. */
export type Wrangler = (args: readonly string[], stdio: "inherit" | "pipe") => Promise<WranglerOutcome>;

/** The message of a wrangler command that failed. */
export class WranglerFailure extends Failure {}

/** The installed wrangler. */
export const wrangler: Wrangler = async (args, stdio) => {
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
};

/** Runs a wrangler command in this terminal, where it may ask questions. */
export async function runWrangler(run: Wrangler, args: readonly string[]): Promise<void> {
  const { exitCode } = await run(args, "inherit");
  if (exitCode !== 0) throw new WranglerFailure(`wrangler ${args[0]} failed; its message is above.`, exitCode);
}

/** Returns the output of a wrangler command, which is shown only if the command fails. */
export async function readWrangler(run: Wrangler, args: readonly string[]): Promise<string> {
  const { exitCode, output, errors } = await run(args, "pipe");
  if (exitCode !== 0) throw new WranglerFailure(`${errors}${output}`.trim(), exitCode);
  return output;
}
