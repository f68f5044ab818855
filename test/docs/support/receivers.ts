import { execFileSync, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from "miniflare";
import { ROOT } from "../../e2e/support/build.ts";
import { until } from "../../support/until.ts";

/** A running receiver of `examples/webhooks`. */
export interface RunningReceiver {
  url: string;
  /** Its output so far. */
  printed(): string;
  stop(): void | Promise<void>;
}

const FOLDER = join(ROOT, "examples/webhooks");

/** Starts the receiver in this file. */
export function startExample(file: string, secret: string): Promise<RunningReceiver> {
  const variables = { WEBHOOK_SECRET: secret };
  if (file === "cloudflare-worker.js") return startWorker(readFileSync(join(FOLDER, file), "utf8"), variables);
  return startProgram(file.endsWith(".py") ? "python3" : process.execPath, join(FOLDER, file), variables);
}

/** Starts a program that listens on `PORT`. */
export async function startProgram(
  command: string,
  file: string,
  variables: Record<string, string>,
): Promise<RunningReceiver> {
  const port = await freePort();
  const child = spawn(command, [file], {
    env: { ...process.env, ...variables, PORT: String(port) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (printed += String(data)));
  const url = `http://127.0.0.1:${port}/`;
  await until(async () => {
    if (child.exitCode !== null) throw new Error(printed);
    return fetch(url, { method: "POST" }).then(
      () => true,
      () => false,
    );
  });
  return { url, printed: () => printed, stop: () => void child.kill() };
}

/** Starts a Worker with these bindings. */
export async function startWorker(script: string, bindings: Record<string, string>): Promise<RunningReceiver> {
  let printed = "";
  const runtime = new Miniflare(
    convertV4MiniflareOptions({
      host: "127.0.0.1",
      port: 0,
      cf: false,
      log: new Log(LogLevel.NONE),
      handleStructuredLogs: ({ message }) => (printed += `${message}\n`),
      modules: true,
      script,
      compatibilityDate: "2026-10-20",
      bindings,
    }),
  );
  const { href } = await runtime.ready;
  return { url: href, printed: () => printed, stop: () => runtime.dispose() };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export function isInstalled(command: string): boolean {
  try {
    execFileSync("sh", ["-c", `command -v ${command}`]);
    return true;
  } catch {
    return false;
  }
}
