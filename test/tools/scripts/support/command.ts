import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect } from "vitest";
import { ROOT } from "../../../../tools/scripts/wrangler.ts";
import { atEndOfFile } from "../../../support/end-of-file.ts";
import { until } from "../../../support/until.ts";
import { COMMAND_TIMEOUT_MS } from "../../../support/command-timeout.ts";

/** Makes a folder that is deleted after the tests of the file. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "tern-test-"));
  atEndOfFile(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Copies what wrangler needs of the project to a folder that is deleted after the tests of the file. */
export function copyProject(...others: string[]): string {
  const clone = temporaryFolder();
  for (const name of [...COPIED, ...others]) cpSync(join(ROOT, name), join(clone, name), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(clone, "node_modules"));
  return clone;
}

const COPIED = [
  "package.json",
  // One of the sources of the pages, which are built anew without it.
  "package-lock.json",
  "schema.sql",
  "migrations",
  "tools/scripts",
  "src",
  "dashboard",
  "docs",
  "skills",
  "SECURITY.md",
  "tsconfig.json",
  "wrangler.toml",
];

export interface Outcome {
  exitCode: number | null;
  output: string;
  errors: string;
}

/** Runs one of the project's commands, or of a copy of the project, in a process and waits for its end. */
export async function runScript(
  name: string,
  args: string[],
  env: Record<string, string> = {},
  project: string = ROOT,
): Promise<Outcome> {
  const child = spawn(process.execPath, [join("tools/scripts", name), ...args], {
    cwd: project,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: COMMAND_TIMEOUT_MS,
  });
  const [output, errors, exitCode] = await Promise.all([text(child.stdout), text(child.stderr), exitOf(child)]);
  return { exitCode, output, errors };
}

export interface Service {
  origin: string;
  /** The API key, or the setup code of an installation without an owner. */
  key: string;
  /** Returns what it has printed so far, to both streams. */
  output(): string;
  /** Returns the ids of its processes. */
  processes(): number[];
  /** Sends the signal to the command, or to its whole process group, as a terminal does. */
  send(signal: NodeJS.Signals, to?: "group"): void;
  exit: Promise<number | null>;
  /** Ends the processes that still run. */
  stop(): Promise<void>;
}

/** What the service prints if another program has taken its port between the choice and the start. */
const PORT_TAKEN = /Address already in use|EADDRINUSE|Port \d+ is in use/;
const MAX_STARTS = 3;
/** How much of the output of a service that has ended is shown. */
const LAST_LINES = 30;

/** Starts the service as `npm start` does, on a free port, and waits until it prints its address, and its key or setup code. */
export async function startService(
  stateFolder: string,
  keyFile: string,
  command: [string, ...string[]] = [process.execPath, "tools/scripts/start.ts"],
): Promise<Service> {
  for (let starts = 1; ; starts++) {
    const started = await startOnce(stateFolder, keyFile, command);
    if (typeof started !== "string") return started;
    if (starts === MAX_STARTS || !PORT_TAKEN.test(started))
      expect.fail(`The service ended:\n${started.trimEnd().split("\n").slice(-LAST_LINES).join("\n")}`);
  }
}

/** Returns the output of a service that ends before it is ready. */
async function startOnce(
  stateFolder: string,
  keyFile: string,
  [command, ...args]: [string, ...string[]],
): Promise<Service | string> {
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
  const key = await printed(() => output, /^(?:API key: | {2}(?=[A-Z\d]{5}-))(\S+)$/m, exit);
  const address = await printed(() => output, /running at (\S+)/, exit);
  if (key === null || address === null) return output;
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

/** Waits for output that matches; null: the process ends before. */
async function printed(output: () => string, pattern: RegExp, exit: Promise<unknown>): Promise<string | null> {
  let ended = false;
  void exit.then(() => (ended = true));
  const found = () => pattern.exec(output())?.[1];
  await until(() => ended || found() !== undefined);
  return found() ?? null;
}

/** Makes a link to https://example.com/a/page through the API. */
export async function postLink({ origin, key }: Service, path: string, fields: object = {}) {
  const response = await fetch(origin + path, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: JSON.stringify({ url: "https://example.com/a/page", ...fields }),
  });
  expect(response.status).toBe(201);
  return ((await response.json()) as { link: { slug: string } }).link;
}

/** Waits until none of the processes of a service runs any more. */
export async function expectAllEnded(pids: number[]): Promise<void> {
  expect(pids.length).toBeGreaterThan(2);
  await until(() => !pids.some(isAlive));
}

function isAlive(pid: number): boolean {
  return tryKill(pid, 0);
}

function tryKill(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** Returns the ids of the process and of all its descendants. */
export function descendants(root: number): number[] {
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
