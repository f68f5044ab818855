import { spawn, type ChildProcess } from "node:child_process";
import * as http from "node:http";
import * as https from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import { ROOT, WRANGLER, wranglerEnvironment } from "./wrangler.ts";

const STOP_PATIENCE_MS = 5_000;
const POLL_MS = 100;

/** A running `wrangler dev`. */
export interface DevServer {
  /** Its exit code, once it has ended. */
  ended: Promise<number>;
  /** Ends it and everything it started, also what is left of it once it has ended. */
  stop(): Promise<void>;
}

/**
 * Starts `wrangler dev` as the head of a process group of its own. A Ctrl-C, which the terminal sends to
 * a whole group, then reaches this process only, and the processes end in order instead of all at once.
 */
export function startDevServer(args: readonly string[]): DevServer {
  const child = spawn(process.execPath, [WRANGLER, "dev", ...args], {
    cwd: ROOT,
    env: wranglerEnvironment(),
    stdio: ["ignore", "inherit", "pipe"],
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
      // The bundler now and then takes its end for a fault, and says so at length.
      child.stderr.unpipe(process.stderr);
      child.stderr.resume();
      // wrangler ends what it started, unless it is gone already.
      if (!child.kill("SIGTERM")) kill(child, "SIGTERM");
      const deadline = Date.now() + STOP_PATIENCE_MS;
      while (isRunning(child) && Date.now() < deadline) await sleep(POLL_MS);
      kill(child, "SIGKILL");
    },
  };
}

const HAS_GROUPS = process.platform !== "win32";

function isRunning(child: ChildProcess): boolean {
  return HAS_GROUPS ? kill(child, 0) : child.exitCode === null && child.signalCode === null;
}

/** Sends a signal to the group; false if there is nobody left in it. */
function kill(child: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  if (child.pid === undefined) return false;
  if (!HAS_GROUPS) return child.kill(signal);
  try {
    return process.kill(-child.pid, signal);
  } catch {
    return false;
  }
}

/** Runs the Worker's cron handler; false if there was no server to answer or the handler failed. */
export async function runScheduled(origin: string, signal: AbortSignal): Promise<boolean> {
  // The path by which a local server runs the handler, of a request that it does not log.
  const url = `${origin}/cdn-cgi/handler/scheduled?cron=*+*+*+*+*`;
  return new Promise((resolve) => {
    const { get } = url.startsWith("https:") ? https : http;
    // With --local-protocol https, wrangler makes its own certificate.
    get(url, { agent: false, signal, rejectUnauthorized: false }, (response) => {
      response.resume();
      response.once("close", () => resolve(response.statusCode === 200));
    }).once("error", () => resolve(false));
  });
}
