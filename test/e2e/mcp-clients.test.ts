import * as modern from "@modelcontextprotocol/client";
import { Client as FormerClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as FormerTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAccount } from "./support/accounts.ts";
import { ORIGIN, startService, type Service } from "./support/service.ts";

// The official clients of both eras, over real sockets.

let service: Service<"one">;
let key: string;

beforeAll(async () => {
  service = await startService({ one: "one" });
  ({ key } = await createAccount(service.db));
});
afterAll(() => service.stop());

/** Sends a client's requests to the isolate, for the host that the service has. */
const fetchFromService: typeof fetch = async (input, init) => {
  const request = new Request(input, init);
  const { pathname, search } = new URL(request.url);
  const answer = await service.isolates.one.request(request.method, pathname + search, {
    headers: Object.fromEntries(request.headers),
    body: request.method === "GET" ? undefined : await request.text(),
  });
  const headers = Object.entries(answer.headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as [string, string]],
  );
  return new Response(answer.status === 204 || answer.status === 202 ? null : answer.text, {
    status: answer.status,
    headers,
  });
};

const options = () => ({
  fetch: fetchFromService,
  requestInit: { headers: { Authorization: `Bearer ${key}` } },
});
const url = new URL("/mcp", ORIGIN);
const info = { name: "test", version: "1" };

interface Result {
  structuredContent?: unknown;
}

/** What every client can do. */
async function tryClient(client: {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
  listResources(): Promise<{ resources: { uri: string }[] }>;
  readResource(read: { uri: string }): Promise<unknown>;
  listPrompts(): Promise<{ prompts: { name: string }[] }>;
}): Promise<void> {
  expect((await client.listTools()).tools).toHaveLength(14);
  const created = (await client.callTool({
    name: "create_link",
    arguments: { url: "https://example.com/", tags: ["client"] },
  })) as Result;
  expect(created.structuredContent).toMatchObject({ link: { url: "https://example.com/" } });
  const { resources } = await client.listResources();
  expect(await client.readResource({ uri: resources[0]?.uri ?? "" })).toMatchObject({ contents: [{}] });
  expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual([
    "campaign_report",
    "create_links_for_pages",
  ]);
}

describe("the official client", () => {
  it("of the 2025 protocols works", async () => {
    const client = new FormerClient(info);
    await client.connect(new FormerTransport(url, options()));
    await tryClient(client);
    await client.close();
  });

  it.each(["legacy", "auto", { pin: "2026-07-28" }] as const)("of 2026 works (mode %j)", async (mode) => {
    const client = new modern.Client(info, { versionNegotiation: { mode } });
    await client.connect(new modern.StreamableHTTPClientTransport(url, options()));
    await tryClient(client);
    await client.close();
  });
});
