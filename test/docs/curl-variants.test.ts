import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findDocuments } from "../../tools/scripts/build-documents.ts";
import { readCurl, variantsOf } from "../../tools/scripts/curl-variants.ts";
import { ROOT } from "../e2e/support/build.ts";
import { isInstalled } from "./support/receivers.ts";

// The programs in other languages that the pages of the documents show beside an example with curl.

const run = promisify(execFile);

interface Received {
  method: string | undefined;
  url: string | undefined;
  authorization: string | undefined;
  type: string | undefined;
  body: unknown;
}

const received: Received[] = [];
const server = createServer((request, response) => {
  void text(request).then((body) => {
    const { authorization, "content-type": type } = request.headers;
    const { method, url } = request;
    received.push({ method, url, authorization, type, body: body === "" ? null : JSON.parse(body) });
    return response.end("{}");
  });
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(() => void server.close());

/** All examples of the documents that have variants. */
const EXAMPLES = [...findDocuments().values()]
  .filter((file) => file.endsWith(".md"))
  .flatMap((file) =>
    Array.from(readFileSync(join(ROOT, file), "utf8").matchAll(/^```sh.*\n([^]*?)^```$/gm), ([, code = ""]) => code),
  )
  .filter((code) => variantsOf(code.replaceAll("$API", "http://127.0.0.1")).length > 0);

it("sends the same requests in each language as with curl", { timeout: 120_000 }, async () => {
  expect(EXAMPLES.length).toBeGreaterThan(30);
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const codes = EXAMPLES.map((code) => code.replaceAll("$API", origin));
  const env = {
    ...process.env,
    KEY: "k",
    ...Object.fromEntries(names(codes).map((name) => [name, name.toLowerCase()])),
  };
  const take = () => received.splice(0);

  await run("bash", ["-c", codes.map((code) => `${code.trim()} >&2`).join("\n")], { env });
  const byCurl = take();
  expect(byCurl).toHaveLength(codes.length);

  const programs = (language: string) =>
    codes.map((code) => variantsOf(code).find(({ name }) => name === language)?.code ?? expect.fail(code));
  await run(
    process.execPath,
    [
      "--input-type=module",
      "-e",
      programs("JavaScript")
        .map((code) => `{${code}}`)
        .join("\n"),
    ],
    { env },
  );
  expect(take()).toEqual(byCurl);
  // .ci/run installs it.
  if (!isInstalled("python3")) return;
  await run("python3", ["-c", programs("Python").join("\n")], { env });
  expect(take()).toEqual(byCurl);
});

/** The variables of the examples. */
function names(codes: readonly string[]): string[] {
  return [
    ...new Set(codes.flatMap((code) => Array.from(code.matchAll(/\$([A-Z_]+)/g), ([, name = ""]) => name))),
  ].filter((name) => name !== "KEY");
}

describe("an example", () => {
  it.each([
    "curl $API/a | tee b",
    "curl $API/a && curl $API/b",
    "LINK=1 curl http://a.test/",
    "curl -o file http://a.test/",
    "curl --json @file http://a.test/",
    "curl --json '{\"a\": \"'$B'\"}' http://a.test/",
    'curl http://a.test/ -H "If-Match: $ETAG"',
    "curl http://a.test/ http://b.test/",
    "curl http://a.test/ > file",
    "curl 'http://a.test/",
    "npm ci",
  ])("has no variants if it does more than one request: %s", (code) => {
    expect(readCurl(code)).toBeNull();
  });
});
