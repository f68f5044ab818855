import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll } from "vitest";

const ROOT = resolve(import.meta.dirname, "../../..");

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A new folder, gone after the tests of the file. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "tern-scripts-"));
  folders.push(folder);
  return folder;
}

export interface Outcome {
  exitCode: number | null;
  output: string;
  errors: string;
}

/** Runs one of the project's commands to its end. */
export async function runScript(name: string, args: string[], env: Record<string, string> = {}): Promise<Outcome> {
  const child = spawn(process.execPath, [join("scripts", name), ...args], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [output, errors, exitCode] = await Promise.all([text(child.stdout), text(child.stderr), exitOf(child)]);
  return { exitCode, output, errors };
}

export interface Service {
  origin: string;
  key: string;
  /** What it has printed so far, both streams. */
  output(): string;
  /** The pids of everything that runs for it. */
  processes(): number[];
  /** Sends the signal to the command, or to its whole process group, as a terminal does. */
  send(signal: NodeJS.Signals, to?: "group"): void;
  exit: Promise<number | null>;
  /** Ends what is left of it, however a test went. */
  stop(): Promise<void>;
}

/** Starts the service as `npm start` does, on a port nobody uses, and waits until it prints its key. */
export async function startService(
  stateFolder: string,
  keyFile: string,
  [command, ...args]: [string, ...string[]] = [process.execPath, "scripts/start.ts"],
): Promise<Service> {
  const child = spawn(command, [...args, "--persist-to", stateFolder, "--port=0", "--inspector-port=0"], {
    cwd: ROOT,
    env: { ...process.env, TERN_DEMO_KEY_FILE: keyFile },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const exit = exitOf(child);
  const pid = child.pid ?? 0;
  const key = await printed(() => output, /^API key: (\S+)$/m, exit);
  const address = await printed(() => output, /running at (\S+)/, exit);
  return {
    origin: address.replace("localhost", "127.0.0.1"),
    key,
    output: () => output,
    processes: () => descendants(pid),
    send: (signal, to) => process.kill(to === "group" ? -pid : pid, signal),
    exit,
    async stop() {
      for (const process of isAlive(pid) ? descendants(pid) : []) tryKill(process, "SIGTERM");
      await exit;
    },
  };
}

async function printed(output: () => string, pattern: RegExp, exit: Promise<unknown>): Promise<string> {
  let ended = false;
  void exit.then(() => (ended = true));
  for (;;) {
    const found = pattern.exec(output())?.[1];
    if (found !== undefined) return found;
    if (ended) throw new Error(`The service ended:\n${output()}`);
    await sleep(20);
  }
}

/** Waits until the condition holds; how long that may take is the test's own time limit. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(50);
}

export function isAlive(pid: number): boolean {
  return tryKill(pid, 0);
}

function tryKill(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** The process and all that it started. */
function descendants(root: number): number[] {
  const rows = execFileSync("ps", ["-eo", "pid=,ppid="], { encoding: "utf8" })
    .trim()
    .split("\n")
    .map((row) => row.trim().split(/\s+/).map(Number) as [number, number]);
  const found = [root];
  for (const parent of found) for (const [pid, ppid] of rows) if (ppid === parent) found.push(pid);
  return found;
}

function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve(code));
  });
}
