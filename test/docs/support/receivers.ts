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
  if (file === "cloudflare-worker.js") return startWorker(file, secret);
  return startProgram(file.endsWith(".py") ? "python3" : process.execPath, file, secret);
}

async function startProgram(command: string, file: string, secret: string): Promise<RunningReceiver> {
  const port = await freePort();
  const child = spawn(command, [join(FOLDER, file)], {
    env: { ...process.env, PORT: String(port), WEBHOOK_SECRET: secret },
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

async function startWorker(file: string, secret: string): Promise<RunningReceiver> {
  let printed = "";
  const runtime = new Miniflare(
    convertV4MiniflareOptions({
      host: "127.0.0.1",
      port: 0,
      cf: false,
      log: new Log(LogLevel.NONE),
      handleStructuredLogs: ({ message }) => (printed += `${message}\n`),
      modules: true,
      script: readFileSync(join(FOLDER, file), "utf8"),
      compatibilityDate: "2026-10-20",
      bindings: { WEBHOOK_SECRET: secret },
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
