import { describe, expect, it, vi } from "vitest";
import { Tern, TernError } from "@tern/sdk";
import {
  ID,
  KEY,
  SHORT_TIMEOUT_MS,
  answers,
  breaks,
  created,
  cuts,
  errorOf,
  failed,
  stalls,
  useScriptedServer,
} from "./support/scripted-server.ts";

const { server, start } = await useScriptedServer();

describe("retries", () => {
  it.each([
    ["a broken connection", breaks],
    ["a cut response", cuts],
    ["a 500", failed(500)],
    ["a 503", failed(503)],
    ["a 429", failed(429)],
    ["a page of a proxy", answers(502, "x", { "Content-Type": "text/html" })],
  ])("repeat a creation after %s, with one idempotency key", async (_, fault) => {
    const { client, pauses } = start(fault, fault, created);
    await expect(client.links.create({ url: "https://example.com/" })).resolves.toEqual({ id: ID });
    expect(server.requests).toHaveLength(3);
    expect(server.keys().size).toBe(1);
    expect([...server.keys()][0]).toMatch(/^[\w-]{36}$/);
    expect(new Set(server.requests.map(({ body }) => body)).size).toBe(1);
    expect(pauses).toHaveLength(2);
    expect(pauses[0]).toBeGreaterThanOrEqual(250);
    expect(pauses[0]).toBeLessThanOrEqual(500);
    expect(pauses[1]).toBeLessThanOrEqual(1_000);
  });

  it("send a new idempotency key with each call, and that of the caller", async () => {
    const { client } = start(created);
    await client.links.create({ url: "https://example.com/" });
    await client.links.create({ url: "https://example.com/" });
    await client.links.create({ url: "https://example.com/" }, { idempotencyKey: "order-17" });
    expect(server.keys().size).toBe(3);
    expect(server.keys()).toContain("order-17");
  });

  it("repeat a POST without an idempotency key only after a 429", async () => {
    for (const fault of [failed(503), breaks, cuts]) {
      const { client } = start(fault);
      expect(await errorOf(client.keys.create({ name: "x" }))).toBeInstanceOf(TernError);
      expect(server.requests).toHaveLength(1);
      const again = start(fault).client;
      expect(await errorOf(again.request("post", "/api/keys", { body: { name: "x" } }))).toBeInstanceOf(TernError);
      expect(server.requests).toHaveLength(1);
    }
    const { client } = start(failed(429), answers(201, { key: { id: ID } }));
    await expect(client.keys.create({ name: "x" })).resolves.toEqual({ id: ID });
    expect([...server.keys()]).toEqual([undefined]);
  });

  it("repeat GET, PUT, PATCH and DELETE, but no change with If-Match", async () => {
    const ok = answers(200, { link: { id: ID }, success: true });
    const calls: ((client: Tern) => Promise<unknown>)[] = [
      (client) => client.links.get(ID),
      (client) => client.links.upsert({ url: "https://example.com/", slug: "x" }),
      (client) => client.links.update(ID, { title: "x" }),
      (client) => client.links.delete(ID),
    ];
    for (const call of calls) {
      const { client } = start(breaks, ok);
      await call(client);
      expect(server.requests).toHaveLength(2);
    }
    const { client } = start(failed(503), ok);
    // The first attempt may have made the change, and the second one would be refused.
    await errorOf(client.links.update(ID, { title: "x" }, { ifUpdatedAt: 1_790_000_000_000 }));
    expect(server.requests.map(({ headers }) => headers["if-match"])).toEqual(['"1790000000000"']);
  });

  it("of a deletion that find nothing are a success, if an earlier attempt may have been the deletion", async () => {
    const missing = failed(404);
    for (const lost of [breaks, cuts, failed(503)]) {
      const { client } = start(lost, missing);
      await expect(client.links.delete(ID)).resolves.toBeUndefined();
      expect(server.requests).toHaveLength(2);
      await expect(start(lost, missing).client.keys.revoke(ID, { descendants: true })).resolves.toBeUndefined();
    }
    for (const responses of [[missing], [failed(429), missing], [breaks, failed(403)]])
      expect(await errorOf(start(...responses).client.links.delete(ID))).toBeInstanceOf(TernError);
    // These have a result, which a 404 does not have.
    const { client } = start(breaks, missing);
    expect(await errorOf(client.tags.delete("sale"))).toMatchObject({ status: 404 });
    start(breaks, missing);
    expect(await errorOf(client.request("DELETE", "/api/new"))).toMatchObject({ status: 404 });
  });

  it("wait as long as Retry-After says, and not at all if that is too long", async () => {
    const { client, pauses } = start(failed(429, { "Retry-After": "7" }), created);
    await client.links.create({ url: "https://example.com/" });
    expect(pauses[0]).toBeGreaterThanOrEqual(7_000);
    expect(pauses[0]).toBeLessThanOrEqual(8_000);
    const second = start(failed(429, { "Retry-After": "3600" }));
    expect(await errorOf(second.client.links.create({ url: "https://example.com/" }))).toMatchObject({
      retryAfter: 3_600,
    });
    expect(server.requests).toHaveLength(1);
    const third = start(failed(503, { "Retry-After": new Date(Date.now() + 9_000).toUTCString() }), created);
    await third.client.links.create({ url: "https://example.com/" });
    expect(third.pauses[0]).toBeGreaterThan(2_000);
    expect(third.pauses[0]).toBeLessThanOrEqual(10_000);
  });

  it("end after maxRetries, and do not begin for other errors", async () => {
    const { client } = start(failed(503));
    expect(await errorOf(client.links.get(ID, { maxRetries: 2 }))).toMatchObject({ status: 503 });
    expect(server.requests).toHaveLength(3);
    start(failed(404));
    expect(await errorOf(client.links.get(ID))).toMatchObject({ status: 404 });
    expect(server.requests).toHaveLength(1);
  });

  it("do not begin for a body that is no JSON", async () => {
    const { client } = start(created);
    const errors = [await errorOf(client.request("POST", "/api/links", { body: { url: 1n } }))];
    expect(errors).toEqual([expect.any(TypeError)]);
    expect(server.requests).toHaveLength(0);
  });

  it("end when the caller aborts, also in a pause", async () => {
    server.script(failed(429, { "Retry-After": "60" }));
    const client = new Tern({ apiKey: KEY, baseUrl: server.origin });
    const controller = new AbortController();
    const result = errorOf(client.links.get(ID, { signal: controller.signal }));
    await vi.waitFor(() => expect(server.requests).toHaveLength(1));
    controller.abort(new Error("enough"));
    expect(await result).toEqual(new Error("enough"));
    expect(await errorOf(client.links.get(ID, { signal: AbortSignal.abort() }))).toMatchObject({ name: "AbortError" });
    expect(server.requests).toHaveLength(1);
  });

  it("follow a timeout", async () => {
    const { client } = start(stalls, created);
    const options = { timeoutMs: SHORT_TIMEOUT_MS };
    await expect(client.links.create({ url: "https://example.com/" }, options)).resolves.toEqual({ id: ID });
    start(stalls);
    expect(await errorOf(client.links.get(ID, { ...options, maxRetries: 0 }))).toMatchObject({
      status: 0,
      code: "timeout",
    });
  });
});
