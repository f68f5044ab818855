import { describe, expect, it } from "vitest";
import { MAX_TOOL_LIST_BYTES } from "../../src/assistants/limits.ts";
import { call, createAccount, jsonOf, type ErrorJson } from "../support/api.ts";
import { post, send, sendModern } from "./client.ts";

const LIST = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };

describe("a message", () => {
  it("of the 2025 protocols is answered without a session", async () => {
    const { key } = await createAccount();
    const { result } = await send(key, "initialize", {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "test", version: "1" },
    });
    expect(result).toMatchObject({
      protocolVersion: "2025-06-18",
      capabilities: {
        tools: { listChanged: false },
        resources: { listChanged: false },
        prompts: { listChanged: false },
      },
      serverInfo: { name: "tern" },
    });
    expect((await send(key, "tools/list")).result?.["tools"]).toHaveLength(14);
  });

  it("of protocol 2026-07-28 needs no initialize", async () => {
    const { key } = await createAccount();
    const { result } = await sendModern(key, "server/discover");
    expect(result).toMatchObject({ supportedVersions: ["2026-07-28"], resultType: "complete" });
    const list = await sendModern(key, "tools/list");
    expect(list.result).toMatchObject({ ttlMs: 300_000, cacheScope: "private" });
    expect(list.result?.["tools"]).toHaveLength(14);
  });

  it("without a valid key is a 401, whatever it says", async () => {
    for (const key of [undefined, `svc_sk_live_${"0".repeat(64)}`]) {
      const response = await post(key, LIST);
      expect(response.status).toBe(401);
      expect(response.headers.get("WWW-Authenticate")).toContain("Bearer");
    }
  });

  it("with the cookie of a session alone is a 401: pages of a browser do not reach tools", async () => {
    const response = await post(undefined, LIST, { Cookie: "__Host-tern=x", Origin: "https://tern.test" });
    expect(response.status).toBe(401);
  });

  it("of another site's page is a 403", async () => {
    const { key } = await createAccount();
    const response = await post(key, LIST, { Origin: "https://evil.example" });
    expect(response.status).toBe(403);
    expect((await jsonOf<ErrorJson>(response)).code).toBe("cross_site");
    expect((await post(key, LIST, { Origin: "https://tern.test" })).status).toBe(200);
  });

  it("that is no POST is a 405", async () => {
    const { key } = await createAccount();
    for (const method of ["GET", "DELETE"]) expect((await call(method, "/mcp", { key })).status).toBe(405);
  });

  it("that is too large or broken is refused", async () => {
    const { key } = await createAccount();
    expect((await post(key, { ...LIST, params: { x: "x".repeat(300_000) } })).status).toBe(413);
    expect((await post(key, "{")).status).toBe(400);
  });

  it("that gives a name twice is refused, and its tool does nothing", async () => {
    const { key } = await createAccount();
    const url = String.raw`"url":"https://example.com/1","\u0075rl":"https://example.com/2"`;
    const message = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_link","arguments":{${url}}}}`;
    const response = await post(key, message);
    expect([response.status, await response.json()]).toEqual([
      400,
      {
        jsonrpc: "2.0",
        id: null,
        error: { code: -32_600, message: "params.arguments.url is given more than once. Give each name once." },
      },
    ]);
    const { links } = await jsonOf<{ links: object[] }>(await call("GET", "/api/links", { key }));
    expect(links).toEqual([]);
  });

  it("counts in a window of its own", async () => {
    const { key } = await createAccount();
    const response = await post(key, LIST);
    expect(response.headers.get("X-RateLimit-Limit")).toBe("120");
  });

  it("for an unknown method or tool is an error of the protocol", async () => {
    const { key } = await createAccount();
    expect((await send(key, "nothing/here")).error?.code).toBe(-32_601);
    expect((await send(key, "tools/call", { name: "nothing", arguments: {} })).error?.code).toBe(-32_602);
  });
});

describe("tools/list", () => {
  it("fits into its bound", async () => {
    const { key } = await createAccount();
    const { result } = await send(key, "tools/list");
    expect(new TextEncoder().encode(JSON.stringify(result)).byteLength).toBeLessThanOrEqual(MAX_TOOL_LIST_BYTES);
  });

  it("describes each tool: title, when to use it, an example with known fields, all four hints, no references", async () => {
    const { key } = await createAccount();
    const tools = (await send(key, "tools/list")).result?.["tools"] as {
      name: string;
      title: string;
      description: string;
      annotations: object;
      inputSchema: { properties: object };
    }[];
    for (const { name, title, description, annotations, inputSchema } of tools) {
      expect(title, name).not.toBe("");
      const example = JSON.parse(/Example: (\{.*\})$/.exec(description)?.[1] ?? "null") as object;
      expect(Object.keys(inputSchema.properties), name).toEqual(expect.arrayContaining(Object.keys(example)));
      expect(Object.keys(annotations).toSorted(), name).toEqual([
        "destructiveHint",
        "idempotentHint",
        "openWorldHint",
        "readOnlyHint",
      ]);
      expect(JSON.stringify(inputSchema), name).not.toContain("$ref");
    }
  });

  it("leaves out what the key may not do", async () => {
    const { key } = await createAccount(["links:read"]);
    const tools = (await send(key, "tools/list")).result?.["tools"] as { name: string }[];
    expect(tools.map(({ name }) => name)).toEqual(["get_link", "list_links", "get_qr_code", "get_account"]);
    expect((await send(key, "tools/call", { name: "create_link", arguments: {} })).error?.message).toContain(
      "not found",
    );
  });
});
