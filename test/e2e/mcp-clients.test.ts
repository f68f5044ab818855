import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAccount } from "./support/accounts.ts";
import { ORIGIN, startService, type Service } from "./support/service.ts";

// The official client, in the protocols of 2025 and 2026, over real sockets.

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
async function tryClient(client: Client): Promise<void> {
  const { tools } = await client.listTools();
  expect(tools).toHaveLength(14);
  const created = (await client.callTool({
    name: "create_link",
    arguments: { url: "https://example.com/", tags: ["client"] },
  })) as Result;
  expect(created.structuredContent).toMatchObject({ link: { url: "https://example.com/" } });
  const { resources } = await client.listResources();
  const link = resources.find(({ uri }) => uri.startsWith("tern://links/"));
  expect(await client.readResource({ uri: link?.uri ?? "" })).toMatchObject({ contents: [{ uri: link?.uri }] });
  expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual([
    "campaign_report",
    "create_links_for_pages",
  ]);
}

describe("the official client", () => {
  it.each(["2025-03-26", "2025-06-18", "2025-11-25"])("of the protocol of %s works", async (version) => {
    const client = new Client(info, {
      supportedProtocolVersions: [version],
      versionNegotiation: { mode: "legacy" },
    });
    await client.connect(new StreamableHTTPClientTransport(url, options()));
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    await tryClient(client);
    await client.close();
  });

  it.each(["auto", { pin: "2026-07-28" }] as const)("of the protocol of 2026 works (mode %j)", async (mode) => {
    const client = new Client(info, { versionNegotiation: { mode } });
    await client.connect(new StreamableHTTPClientTransport(url, options()));
    expect(client.getNegotiatedProtocolVersion()).toBe("2026-07-28");
    await tryClient(client);
    await client.close();
  });
});

describe("a deletion of many links", () => {
  const createLinks = async (client: Client): Promise<string[]> => {
    const links = Array.from({ length: 6 }, (_, n) => ({ url: `https://example.com/many/${n}` }));
    const { structuredContent } = (await client.callTool({ name: "create_links", arguments: { links } })) as Result;
    return (structuredContent as { links: { id: string }[] }).links.map(({ id }) => id);
  };

  /** Connects a client whose person answers with `action`, and deletes six links. */
  async function deleteMany(mode: "legacy" | "auto", action: "accept" | "decline" | "cancel") {
    const capabilities = { elicitation: { form: {} } };
    const client = new Client(info, { capabilities, versionNegotiation: { mode } });
    const questions: string[] = [];
    client.setRequestHandler("elicitation/create", ({ params }) => {
      questions.push(params.message);
      return action === "accept" ? { action, content: {} } : { action };
    });
    await client.connect(new StreamableHTTPClientTransport(url, options()));
    const ids = await createLinks(client);
    const { structuredContent } = (await client.callTool({ name: "delete_links", arguments: { ids } })) as Result;
    await client.close();
    return { questions, deleted: (structuredContent as { deleted: number }).deleted };
  }

  const QUESTION = "Delete 6 links? Their visitors get a 404 at once.";

  it.each([
    ["accept", 6],
    ["decline", 0],
    ["cancel", 0],
  ] as const)("asks the person once, and after %s %i are deleted", async (action, deleted) => {
    expect(await deleteMany("auto", action)).toEqual({ questions: [QUESTION], deleted });
  });

  it("asks nobody in a client of the 2025 protocols", async () => {
    expect(await deleteMany("legacy", "decline")).toEqual({ questions: [], deleted: 6 });
  });
});
