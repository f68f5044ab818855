import { spawn } from "node:child_process";
import { expect } from "vitest";
import { WRANGLER, wranglerEnvironment } from "../../../../tools/scripts/wrangler.ts";
import { until } from "../../../support/until.ts";
import type { Cloudflare } from "./cloudflare.ts";
import { descendants, expectAllEnded } from "./command.ts";

/** Starts wrangler without the project's own commands, in a folder of a copy of the project. */
export function startWrangler(args: string[], directory: string, cloudflare: Cloudflare) {
  const environment = { ...wranglerEnvironment(), ...cloudflare.environment };
  // The key of vitest.config.ts would make another one needless.
  Reflect.deleteProperty(environment, "ENCRYPTION_KEYS");
  return spawn(process.execPath, [WRANGLER, ...args], {
    cwd: directory,
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
  });
}

export interface DevServer {
  origin: string;
  output: () => string;
  stop: () => Promise<void>;
}

/** Starts `wrangler dev`, and waits until it is ready. */
export async function startWranglerDev(args: string[], directory: string, cloudflare: Cloudflare): Promise<DevServer> {
  const child = startWrangler(["dev", "--port=0", "--inspector-port=0", ...args], directory, cloudflare);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  let ended = false;
  child.once("close", () => (ended = true));
  const address = () => /Ready on http:\/\/[\w.]+:(\d+)/.exec(output)?.[1];
  await until(() => ended || address() !== undefined);
  if (ended) expect.fail(output);
  return {
    origin: `http://127.0.0.1:${address()}`,
    output: () => output,
    async stop() {
      const pids = descendants(child.pid ?? 0);
      child.kill("SIGTERM");
      await expectAllEnded(pids);
    },
  };
}
