import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { ROOT } from "../../../tools/scripts/wrangler.ts";
import { startDns } from "./dns.ts";

export interface DashboardService {
  origin: string;
  /** The origin of its DNS resolver. */
  dns: string;
  /** The key of the demo account, and the URL that signs a browser in once. Empty with `--unclaimed`. */
  key: string;
  signInUrl: string;
  /** What it has printed. */
  output: () => string;
  stop: () => Promise<void>;
}

/** Vitest has no limits for what is done before and after all tests. */
const START_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 30_000;

/** For vitest: starts the service once for all tests of the dashboard. They find its origin by `inject`. */
export default async function provideService(project: TestProject): Promise<() => Promise<void>> {
  const { origin, dns, stop } = await startDashboardService("test/browser/support/worker.js");
  project.provide("origin", origin);
  project.provide("dns", dns);
  return stop;
}

/**
 * Starts the service as `npm start` does, with a folder of its own that is deleted at the end. `main` is the Worker's script, `options`
 * are those of `npm start`.
 */
export async function startDashboardService(main: string, ...options: string[]): Promise<DashboardService> {
  const folder = mkdtempSync(join(tmpdir(), "tern-dashboard-"));
  const state = join(folder, "state");
  const dns = await startDns();
  const args = [
    "tools/scripts/start.ts",
    main,
    `--persist-to=${state}`,
    "--port=0",
    "--inspector-port=0",
    // The receivers of the tests run on this machine, and so does the DNS of their domains.
    "--var=WEBHOOK_ALLOWED_PRIVATE_HOSTS:127.0.0.1",
    `--var=DNS_OVER_HTTPS_URL:${dns.origin}/dns-query`,
    ...options,
  ];
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...process.env, TERN_DEMO_KEY_FILE: join(folder, "key") },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const origin = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const address = /running at (\S+)\n[^]*Press Ctrl-C/.exec(output)?.[1];
      if (address !== undefined) resolve(address);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    void ended.then(() => reject(new Error(`The service ended:\n${output}`)));
    const late = () => reject(new Error(`The service did not start within ${START_TIMEOUT_MS} ms:\n${output}`));
    setTimeout(late, START_TIMEOUT_MS).unref();
  });
  return {
    origin,
    dns: dns.origin,
    key: /^API key: (\S+)$/m.exec(output)?.[1] ?? "",
    signInUrl: / once: (\S+)$/m.exec(output)?.[1] ?? "",
    output: () => output,
    async stop() {
      child.kill("SIGTERM");
      const kill = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
      await ended;
      clearTimeout(kill);
      dns.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

declare module "vitest" {
  interface ProvidedContext {
    /** The origin of the service for the tests of the dashboard. */
    origin: string;
    /** The DNS resolver of that service, for `setRecords`. */
    dns: string;
  }
}
