import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { createProgram } from "../../cli/src/program.ts";
import { findDocuments } from "../../scripts/build-documents.ts";
import { command } from "../../scripts/command-variants.ts";
import { COMMAND_LINE, readCurl, variantsOf } from "../../scripts/curl-variants.ts";
import { ROOT } from "../e2e/support/build.ts";

// The command line beside the examples with curl. The words are those that a shell makes of the example, and the command is
// the real one, in this process: a process for each of them would take a quarter of a second.

interface Received {
  method: string | undefined;
  path: string;
  query: Record<string, string[]>;
  authorization: string | undefined;
  body: unknown;
}

const ID = "019ac3f0-7d6a-7c3e-9b1f-2f4a5c6d7e8f";
const NULLS = [
  "title",
  "lastClickedAt",
  "startsAt",
  "expiresAt",
  "expiredUrl",
  "maxClicks",
  "externalId",
  "createdBy",
].map((name) => [name, null]);
const LINK = {
  id: ID,
  shortUrl: "https://go.example/a",
  url: "https://example.com/",
  status: "active",
  clicks: 0,
  tags: [],
  aliases: [],
  createdAt: 0,
  updatedAt: 0,
  ...Object.fromEntries(NULLS),
};
/** Members of all answers that the commands read. */
const ANSWER = {
  link: LINK,
  shortUrl: LINK.shortUrl,
  clicks: { timeseries: [] },
  key: { name: "a", lastFour: "1234", permissions: [], expiresAt: null },
  account: { name: "a" },
  ...Object.fromEntries(["links", "domains", "keys", "webhooks"].map((name) => [name, []])),
  nextCursor: null,
};

const received: Received[] = [];
const server = createServer((request, response) => {
  void text(request).then((body) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://127.0.0.1");
    const query = Object.fromEntries([...searchParams.keys()].map((name) => [name, searchParams.getAll(name)]));
    const { method, headers } = request;
    const json: unknown = body === "" ? null : JSON.parse(body);
    received.push({ method, path: pathname, query, authorization: headers.authorization, body: json });
    response.setHeader("Content-Type", "application/json");
    return response.end(JSON.stringify(ANSWER));
  });
});
const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(() => void server.close());

const KEY = `svc_sk_live_${"0".repeat(64)}`;
beforeEach(() => {
  vi.stubEnv("TERN_BASE_URL", origin());
  vi.stubEnv("TERN_API_KEY", KEY);
  for (const stream of [process.stdout, process.stderr]) vi.spyOn(stream, "write").mockReturnValue(true);
  return () => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  };
});

/** The examples of the documents that have this variant, and the variant. */
function examples(): { curl: string; line: string }[] {
  const files = [...findDocuments().values()].filter((file) => file.endsWith(".md"));
  return files.flatMap((file) => {
    const blocks = readFileSync(join(ROOT, file), "utf8").matchAll(/^```sh.*\n([^]*?)^```$/gm);
    return Array.from(blocks, ([, code = ""]) => code.replaceAll("$API", origin())).flatMap((curl) => {
      const line = variantsOf(curl).find(({ name }) => name === COMMAND_LINE)?.code;
      return line === undefined ? [] : [{ curl, line }];
    });
  });
}

/** The words that a shell makes of the lines. Each variable has an id, as most of those in the examples do. */
function wordsOf(lines: readonly string[]): string[][] {
  const names = new Set(lines.flatMap((line) => Array.from(line.matchAll(/\$([A-Z_]+)/g), ([, name = ""]) => name)));
  const env = { ...process.env, ...Object.fromEntries([...names].map((name) => [name, ID])) };
  const script = [String.raw`tern() { printf '%s\0' "$@"; printf '\n\0'; }`, ...lines].join("\n");
  const output = execFileSync("bash", ["-c", script], { env, encoding: "utf8" });
  return output
    .split("\n\0")
    .slice(0, -1)
    .map((words) => words.split("\0").slice(0, -1));
}

/** Runs the command and returns its requests. */
async function requestsOf(words: string[]): Promise<Received[]> {
  await createProgram().parseAsync(words, { from: "user" });
  return received.splice(0);
}

it("the command of each example sends the request of the example", async () => {
  const all = examples();
  expect(all.length).toBeGreaterThan(40);
  const words = wordsOf(all.map(({ line }) => line));
  expect(words).toHaveLength(all.length);
  for (const [index, { curl }] of all.entries()) {
    const call = readCurl(curl) ?? expect.fail(curl);
    const url = new URL(call.url.replaceAll(/\$[A-Z_]+/g, ID));
    const params = [...url.searchParams.keys()];
    const query = Object.fromEntries(params.map((name) => [name, url.searchParams.getAll(name)]));
    // Commands that list read one row more than they print, to know whether there are more.
    if (words[index]?.includes("list")) delete query["limit"];
    const body = call.body === undefined ? null : (JSON.parse(call.body) as object);
    expect(await requestsOf(words[index] ?? []), curl).toContainEqual({
      method: call.method,
      path: url.pathname,
      // Such as the time zone of the reader.
      query: expect.objectContaining(query),
      authorization: `Bearer ${KEY}`,
      body,
    });
  }
});

it("common requests have a command of their own", () => {
  const lines = examples().map(({ line }) => line);
  expect(lines).toEqual(
    expect.arrayContaining([
      'tern links get "$LINK"',
      'tern links delete "$LINK" --yes',
      'tern clicks "$LINK" --interval 7d',
      "tern domains list",
      "tern whoami",
    ]),
  );
});

describe("a request", () => {
  const call = { method: "GET", url: "https://go.example/api/links", headers: {}, needsKey: true, body: undefined };

  it.each([
    ["without a key", { needsKey: false }],
    ["with a header of its own", { headers: { "Idempotency-Key": "a" } }],
    ["of a visitor", { url: "https://go.example/spring" }],
    ["with a password, which lists of processes would show", { method: "POST", body: '{"password": "a"}' }],
  ])("%s has no command", (_, change) => {
    expect(command({ ...call, ...change })).toBeNull();
  });

  it("that no command knows is one of tern api", () => {
    const body = '{"url": "it\'s", "tags": ["a b"], "rules": null}';
    const line = command({ ...call, method: "POST", url: "https://go.example/api/links", body });
    expect(line).toBe(String.raw`tern api POST /api/links 'url=it'\''s' 'tags:=["a b"]' rules:=null`);
    expect(wordsOf([line ?? ""])).toEqual([["api", "POST", "/api/links", "url=it's", 'tags:=["a b"]', "rules:=null"]]);
  });
});
