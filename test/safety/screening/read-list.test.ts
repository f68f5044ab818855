import { afterEach, expect, it, vi } from "vitest";
import { hasHash } from "#src/safety/screening/hash-set.ts";
import { hostText, readLine, urlText, type ListFormat } from "#src/safety/screening/list-entry.ts";
import { readList } from "#src/safety/screening/read-list.ts";
import { siphash, toSipKey } from "#src/safety/screening/siphash.ts";

const KEY = toSipKey(Uint8Array.from({ length: 16 }, (_, index) => 7 * index));

afterEach(() => vi.restoreAllMocks());

function read(body: BodyInit | null, format: ListFormat = "hosts", lastEntries = 0, status = 200) {
  vi.spyOn(globalThis, "fetch").mockResolvedValue(new Response(body, { status }));
  return readList({ url: "https://lists.test/list.txt", format }, KEY, lastEntries);
}

async function faultOf(...args: Parameters<typeof read>): Promise<string> {
  const reading = await read(...args);
  return reading.ok ? "" : reading.fault;
}

async function hashesOf(...args: Parameters<typeof read>): Promise<Uint32Array<ArrayBuffer>> {
  const reading = await read(...args);
  if (!reading.ok) throw new Error(reading.fault);
  return reading.hashes;
}

const hosts = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `host-${from + index}.dev`).join("\n");

it("hosts are read from lines and from a hosts file", () => {
  const hostsIn = (line: string) => readLine(line, "hosts")?.map((entry) => entry.replace(/^host /, "")) ?? null;
  expect(hostsIn("Evil.DEV")).toEqual(["evil.dev"]);
  expect(hostsIn("*.evil.dev # phishing")).toEqual(["evil.dev"]);
  expect(hostsIn("0.0.0.0 evil.dev other.dev # both")).toEqual(["evil.dev", "other.dev"]);
  expect(hostsIn("127.0.0.1 localhost")).toEqual([]);
  expect(hostsIn("# comment")).toEqual([]);
  expect(hostsIn("bücher.ch")).toEqual(["xn--bcher-kva.ch"]);
});

it("an entry that would cover everybody's pages covers nothing", () => {
  for (const host of ["vercel.app", "github.io", "google.com"]) expect(readLine(host, "hosts")).toEqual([]);
  expect(readLine("co.uk", "hosts")).toBeNull();
  expect(readLine("evil.vercel.app", "hosts")).toHaveLength(1);
});

it("a URL matches exactly and is no host", async () => {
  const hashes = await hashesOf("https://shared.dev/a%2562?x=1#y\nhttp://other.dev/\n", "urls");
  expect(hasHash(hashes, siphash(KEY, urlText("shared.dev", "/ab?x=1")))).toBe(true);
  expect(hasHash(hashes, siphash(KEY, urlText("shared.dev", "/ab")))).toBe(false);
  expect(hasHash(hashes, siphash(KEY, urlText("other.dev", "/")))).toBe(true);
  expect(hasHash(hashes, siphash(KEY, urlText("other.dev", "/page")))).toBe(false);
  expect(hasHash(hashes, siphash(KEY, hostText("other.dev")))).toBe(false);
});

it("the set is sorted and has each entry once", async () => {
  const hashes = await hashesOf(`${hosts(0, 20_000)}\n${hosts(0, 100)}\n`);
  expect(hashes.length / 2).toBe(20_000);
  for (let number = 0; number < 20_000; number++)
    if (!hasHash(hashes, siphash(KEY, hostText(`host-${number}.dev`)))) expect.unreachable(`host ${number}`);
  expect(hasHash(hashes, siphash(KEY, hostText("host-20000.dev")))).toBe(false);
});

it("a list that is broken, empty or shrunken is refused", async () => {
  expect(await faultOf("", "hosts")).toBe("it is empty");
  expect(await faultOf("# only a comment\n", "hosts")).toBe("it is empty");
  expect(await faultOf(hosts(0, 499), "hosts", 1_000)).toBe(
    "it has 499 entries, less than half of the 1000 that it had",
  );
  expect(await faultOf(hosts(0, 500), "hosts", 1_000)).toBe("");
  expect(await faultOf("<!doctype html>\n<title>Sorry</title>\n", "hosts")).toContain("are no hosts");
  expect(await faultOf("a.dev\nb.dev\n", "urls")).toBe("2 of 2 lines are no urls");
  expect(await faultOf("no", "hosts", 0, 503)).toBe("the server answered 503");
  const cut = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(hosts(0, 1_000)));
      controller.error(new Error("Network connection lost."));
    },
  });
  expect(await faultOf(cut, "hosts", 1_000)).toContain("could not be read");
});

it("an endless list is refused at its bound, with and without ends of lines", async () => {
  const endless = (chunk: Uint8Array) => new ReadableStream({ pull: (controller) => controller.enqueue(chunk) });
  expect(await faultOf(endless(new Uint8Array(4_194_304).fill(97)))).toBe("it is larger than 128 MB");
  const lines = new TextEncoder().encode(`# ${"a long comment ".repeat(250)}\n`.repeat(1_000));
  expect(await faultOf(endless(lines))).toBe("it is larger than 128 MB");
});
