import { spawn } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { until } from "../support/until.ts";
import { addKey, createAccount, createLink } from "./support/accounts.ts";
import { ROOT } from "./support/build.ts";
import { startHostProxy } from "./support/host-proxy.ts";
import { ORIGIN, startService, type Service } from "./support/service.ts";

// A real WebSocket of the built Worker, with its real queue. The client is the example in examples/clicks.

let service: Service<"first">;
let proxy: Awaited<ReturnType<typeof startHostProxy>>;

beforeAll(async () => {
  service = await startService({ first: "one" }, { quickQueues: false });
  proxy = await startHostProxy(service.isolates.first.address, new URL(ORIGIN).host);
});
afterAll(async () => {
  proxy.stop();
  await service.stop();
});

/** Starts the example; returns what it has printed. */
function startExample(key: string, query = ""): () => string {
  const child = spawn(process.execPath, [join(ROOT, "examples/clicks/live.js"), query], {
    env: { ...process.env, API: proxy.origin, KEY: key },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (printed += String(data)));
  onTestFinished(() => void child.kill());
  return () => printed;
}

it("shows visits while they happen, of the links that the query selects", async () => {
  const { first } = service.isolates;
  const { accountId, key } = await createAccount(service.db);
  const { key: second } = await addKey(service.db, accountId);
  await createLink(first, key, { url: "https://example.com/plain", slug: "plain" });
  await createLink(first, key, { url: "https://example.com/sale", slug: "sale", tags: ["sale"] });
  const [all, tagged] = [startExample(key), startExample(second, "?tag=sale")];
  // The visits go on until both clients are connected.
  await until(async () => {
    for (const slug of ["plain", "sale"]) await first.get(`/${slug}`);
    return all().includes("https://example.com/plain") && tagged().includes("https://example.com/sale");
  });
  expect(all()).toMatch(/^[\dT:.-]+Z \S+ curl https:\/\/example.com\/(plain|sale)$/m);
  expect(tagged()).not.toContain("https://example.com/plain");
});
