import { spawn, type ChildProcess } from "node:child_process";
import * as http from "node:http";
import * as https from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import { ROOT, WRANGLER, wranglerEnvironment } from "./wrangler.ts";

/** How long the processes may take to end before they are killed. */
const STOP_TIMEOUT_MS = 5_000;
const POLL_MS = 100;

const END_WITH_PARENT = new URL("end-with-parent.ts", import.meta.url).href;

const DEV_ENVIRONMENT = {
  // For tools/scripts/build-hook.js.
  TERN_IS_PREPARED: "true",
  // No registry of the Workers on this machine: its update would print the bindings a second time.
  WRANGLER_REGISTRY_PATH: "",
};

/** A running `wrangler dev`. */
export interface DevServer {
  /** Resolves with the exit code. */
  ended: Promise<number>;
  /** Ends it and every process it started, also after it has ended itself. */
  stop(): Promise<void>;
}

/**
 * Starts `wrangler dev` in its own process group. The terminal sends Ctrl-C to a whole group, so it then reaches this
 * process only, and the processes end in order instead of all at once. If this process is killed, they end too.
 */
export function startDevServer(args: readonly string[]): DevServer {
  const child = spawn(process.execPath, ["--import", END_WITH_PARENT, WRANGLER, "dev", ...args], {
    cwd: ROOT,
    env: { ...wranglerEnvironment(), ...DEV_ENVIRONMENT },
    stdio: ["pipe", "inherit", "pipe"],
    detached: HAS_GROUPS,
  });
  child.stderr.pipe(process.stderr);
  const ended = new Promise<number>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => resolve(code ?? 1));
  });
  return {
    ended,
    async stop() {
      // The bundler sometimes reports its end as an error, with a long message.
      child.stderr.unpipe(process.stderr);
      child.stderr.resume();
      // wrangler ends the processes it started, unless it has ended already.
      if (!child.kill("SIGTERM")) kill(child, "SIGTERM");
      const deadline = Date.now() + STOP_TIMEOUT_MS;
      while (isRunning(child) && Date.now() < deadline) await sleep(POLL_MS);
      kill(child, "SIGKILL");
    },
  };
}

const HAS_GROUPS = process.platform !== "win32";

function isRunning(child: ChildProcess): boolean {
  return HAS_GROUPS ? kill(child, 0) : child.exitCode === null && child.signalCode === null;
}

/** Sends a signal to the group; returns false if it has no process left. */
function kill(child: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  if (child.pid === undefined) return false;
  if (!HAS_GROUPS) return child.kill(signal);
  try {
    return process.kill(-child.pid, signal);
  } catch {
    return false;
  }
}

/** Runs the Worker's cron handler; returns false if the server does not respond or the handler failed. */
export async function runScheduled(origin: string, signal: AbortSignal): Promise<boolean> {
  // A local server runs the handler at this path and does not log the request.
  const url = `${origin}/cdn-cgi/handler/scheduled?cron=*+*+*+*+*`;
  return new Promise((resolve) => {
    const { get } = url.startsWith("https:") ? https : http;
    // With --local-protocol https, wrangler generates its own certificate.
    get(url, { agent: false, signal, rejectUnauthorized: false }, (response) => {
      response.resume();
      response.once("close", () => resolve(response.statusCode === 200));
    }).once("error", () => resolve(false));
  });
}
