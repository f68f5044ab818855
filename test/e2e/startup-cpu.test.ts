import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from "miniflare";
import { expect, it } from "vitest";
import { cpuMicroseconds, findRuntime } from "../../bench/load/process.ts";
import { buildWorker } from "./support/build.ts";
import { exchange } from "./support/http.ts";

/** Of a runtime that starts with many of the Worker, to one with as many that do nothing but answer 302. */
const MAX_START_UP_CPU_RATIO = 5;

const COPIES = 20;
const TURNS = 3;

const BARE = `export default { fetch: () => new Response(null, { status: 302, headers: { Location: "/" } }) };
  export class ClickLog {}
  export class RateLimiter {}`;

/** What the start of a runtime with many copies of the script takes, until each has answered. */
async function startUpMicroseconds(script: string): Promise<number> {
  const names = Array.from({ length: COPIES }, (_, n) => `copy-${n}`);
  const runtime = new Miniflare(
    convertV4MiniflareOptions({
      host: "127.0.0.1",
      port: 0,
      cf: false,
      log: new Log(LogLevel.NONE),
      logRequests: false,
      handleStructuredLogs: () => undefined,
      workers: names.map((name) => ({
        name,
        modules: true,
        script,
        compatibilityDate: "2026-10-20",
        bindings: { BASE_URL: "http://127.0.0.1" },
        unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
      })) as never,
    }),
  );
  try {
    await runtime.ready;
    for (const name of names) {
      const address = await runtime.unsafeGetDirectURL(name);
      await exchange({ address, method: "GET", path: "/robots.txt", headers: { Host: "127.0.0.1" } });
    }
    return cpuMicroseconds(findRuntime());
  } finally {
    await runtime.dispose();
  }
}

it("starts within a few times the CPU time of a Worker that does nothing", async () => {
  const { script } = await buildWorker();
  const ratios: number[] = [];
  for (let turn = 0; turn < TURNS; turn++) {
    const bare = await startUpMicroseconds(BARE);
    ratios.push((await startUpMicroseconds(script)) / bare);
  }
  const [, ratio = Infinity] = ratios.sort((a, b) => a - b);
  console.log(`CPU time of the start, of a bare Worker's: ${ratio.toFixed(1)}`);
  expect(ratio).toBeLessThanOrEqual(MAX_START_UP_CPU_RATIO);
});
