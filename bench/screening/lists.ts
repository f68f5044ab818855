import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { ListFormat } from "../../src/safety/screener/list-entry.ts";
import { readList } from "../../src/safety/screener/read-list.ts";
import { toSipKey } from "../../src/safety/screener/siphash.ts";

// Reads list files from a local server with the code of the Screener, and tells the time and the memory that it takes.

const ENTRIES = 1_000_000;
const LINES_PER_CHUNK = 1_000;
const KEY = toSipKey(crypto.getRandomValues(new Uint8Array(16)));

const host = (number: number) => `host-${number}.bad-${number % 9_973}.example.com`;
const LINES: Record<ListFormat, (number: number) => string> = {
  hosts: (number) => `0.0.0.0 ${host(number)}`,
  urls: (number) => `https://${host(number)}/kit/login.php?id=${number}`,
};

function* chunks(line: (number: number) => string, count: number): Generator<string> {
  for (let start = 0; start < count; start += LINES_PER_CHUNK) {
    const numbers = Array.from({ length: Math.min(LINES_PER_CHUNK, count - start) }, (_, index) => start + index);
    yield `${numbers.map(line).join("\n")}\n`;
  }
}

const corrupt = (number: number) => `<p>${number} is no host</p>`;

/** What the server sends, by path. */
const BODIES: Record<string, () => Iterable<string>> = {
  "/hosts": () => chunks(LINES.hosts, ENTRIES),
  "/urls": () => chunks(LINES.urls, ENTRIES),
  "/empty": () => [""],
  "/corrupt": () => chunks(corrupt, ENTRIES),
  "/shrunken": () => chunks(LINES.hosts, ENTRIES / 2 - 1),
  "/endless": () => chunks(LINES.hosts, Infinity),
  "/endless-line": () => chunks(() => "x".repeat(100), Infinity).map((text) => text.replaceAll("\n", "")),
};

async function answer(path: string, response: ServerResponse): Promise<void> {
  const body = BODIES[path]?.() ?? [];
  // The reader ends the connection where it has read enough.
  await pipeline(Readable.from(body), response).catch(() => response.destroy());
}

const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`.padStart(7);

async function measure(origin: string, path: string, format: ListFormat, lastEntries: number): Promise<void> {
  globalThis.gc?.();
  const before = process.memoryUsage();
  let peak = 0;
  const sampler = setInterval(() => {
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    peak = Math.max(peak, heapUsed + arrayBuffers);
  }, 20);
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const start = performance.now();
  const reading = await readList({ url: origin + path, format }, KEY, lastEntries);
  const seconds = (performance.now() - start) / 1_000;
  delay.disable();
  clearInterval(sampler);
  const used = Math.max(0, peak - before.heapUsed - before.arrayBuffers);
  const outcome = reading.ok
    ? `${reading.hashes.length / 2} entries in ${megabytes(reading.hashes.byteLength).trim()}`
    : reading.fault;
  const wait = `${Math.round(delay.max / 1e6)} ms`.padStart(7);
  console.log(`${path.slice(1).padEnd(14)}${seconds.toFixed(1).padStart(6)} s ${megabytes(used)} ${wait}  ${outcome}`);
}

const server = createServer((request, response) => void answer(request.url ?? "/", response));
await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
console.log("list             time  memory   pause  outcome");
await measure(origin, "/hosts", "hosts", 0);
await measure(origin, "/urls", "urls", 0);
for (const path of ["/empty", "/corrupt", "/shrunken", "/endless", "/endless-line"])
  await measure(origin, path, "hosts", ENTRIES);
server.closeAllConnections();
server.close();
