import { beforeEach, describe, expect, it } from "vitest";
import type { Webhook } from "../../../src/webhooks/contract.ts";
import type { Delivery } from "../../../src/webhooks/delivery-contract.ts";
import { jsonOf } from "../../support/api.ts";
import { advance, internet, key, type Received, service, START, startService } from "../support.ts";

beforeEach(startService);

const HOST = "hooks.receiver.dev";

async function log(id: string, query = ""): Promise<{ deliveries: Delivery[]; nextCursor: string | null }> {
  return jsonOf(await service.call("GET", `/api/webhooks/${id}/deliveries${query}`, { key }));
}

async function onlyDelivery(id: string): Promise<Delivery> {
  const { deliveries } = await log(id);
  expect(deliveries).toHaveLength(1);
  return deliveries[0] as Delivery;
}

describe("a delivery (6.2, 6.3)", () => {
  it("is a POST with the headers of the specification and of Standard Webhooks", async () => {
    await service.createWebhook(key);
    await service.createLink(key);
    await service.deliver();
    const [got, ...more] = await internet.received();
    expect(more).toEqual([]);
    expect(got).toMatchObject({ url: `https://${HOST}/in`, method: "POST" });
    expect(got?.headers).toMatchObject({
      "content-type": "application/json",
      "user-agent": "Service-Webhook/1.0",
      "x-service-event": "link.create",
      "x-service-signature": expect.stringMatching(new RegExp(`^t=${START / 1_000},v1=[0-9a-f]{64}$`)),
      "webhook-id": expect.stringMatching(/^[0-9a-f-]{36}$/),
      "webhook-timestamp": String(START / 1_000),
      "webhook-signature": expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
    });
  });

  it("is in the log, and its success sets lastTriggeredAt", async () => {
    const { id } = await service.createWebhook(key);
    await service.createLink(key);
    expect(await onlyDelivery(id)).toMatchObject({ status: "pending", attempts: [], nextAttemptAt: START });
    advance(5);
    await service.deliver();
    const [got] = await internet.received();
    expect(await onlyDelivery(id)).toEqual({
      id: got?.headers["webhook-id"],
      event: "link.create",
      status: "delivered",
      attempts: [{ at: START + 5, status: 200, statusText: null, durationMs: 0 }],
      nextAttemptAt: null,
      createdAt: START,
    });
    expect(await service.getWebhook(key, id)).toMatchObject({ lastTriggeredAt: START + 5, failureCount: 0 });
  });
});

describe("its signature (6.4)", () => {
  async function hmac(key: Uint8Array, text: string): Promise<Uint8Array> {
    const algorithm = { name: "HMAC", hash: "SHA-256" };
    const imported = await crypto.subtle.importKey("raw", key, algorithm, false, ["sign"]);
    return new Uint8Array(await crypto.subtle.sign("HMAC", imported, new TextEncoder().encode(text)));
  }

  const hex = (bytes: Uint8Array) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const base64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes));

  /** The signature headers as the two specifications define them. */
  async function expected({ headers, body }: Received, secrets: string[]) {
    const t = headers["webhook-timestamp"] ?? "";
    const ours = secrets.map(async (secret) => {
      return `v1=${hex(await hmac(new TextEncoder().encode(secret), `${t}.${body}`))}`;
    });
    const standard = secrets.map(async (secret) => {
      const bytes = Uint8Array.from(atob(secret.slice("whsec_".length)), (character) => character.charCodeAt(0));
      return `v1,${base64(await hmac(bytes, `${headers["webhook-id"]}.${t}.${body}`))}`;
    });
    return {
      "x-service-signature": [`t=${t}`, ...(await Promise.all(ours))].join(","),
      "webhook-signature": (await Promise.all(standard)).join(" "),
    };
  }

  async function send(): Promise<Received> {
    await internet.reset();
    await service.createLink(key, { title: 'Grüße 🐦 "quoted" \\ \u2028 漢字' });
    await service.deliver();
    return (await internet.received())[0] as Received;
  }

  it("is the HMAC of the specification and that of Standard Webhooks", async () => {
    const { secret } = await service.createWebhook(key);
    const got = await send();
    expect(got.headers).toMatchObject(await expected(got, [secret]));
  });

  describe("after rotations of the secret", () => {
    const HOUR = 3_600_000;
    const rotate = (id: string) => service.call("POST", `/api/webhooks/${id}/rotate-secret`, { key });
    const secretOf = async (response: Response) => {
      expect(response.status).toBe(200);
      return (await jsonOf<{ webhook: Webhook }>(response)).webhook.secret;
    };

    it("is made with each secret for 24 hours after its replacement", async () => {
      const { id, secret: first } = await service.createWebhook(key);
      const second = await secretOf(await rotate(id));
      expect(second).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect((await service.getWebhook(key, id)).secret.slice(0, 8)).toBe(second.slice(0, 8));
      advance(23 * HOUR);
      const third = await secretOf(await rotate(id));
      const all = await send();
      expect(all.headers).toMatchObject(await expected(all, [third, second, first]));
      advance(HOUR - 1);
      const refused = await rotate(id);
      const possibleAt = new Date(START + 24 * HOUR).toISOString();
      expect([refused.status, await jsonOf(refused)]).toMatchObject([
        409,
        { code: "limit_reached", details: [{ path: "", code: "too_many_secrets", max: 3, example: possibleAt }] },
      ]);
      advance(1);
      const two = await send();
      expect(two.headers).toMatchObject(await expected(two, [third, second]));
      const fourth = await secretOf(await rotate(id));
      const again = await send();
      expect(again.headers).toMatchObject(await expected(again, [fourth, third, second]));
      advance(24 * HOUR);
      const one = await send();
      expect(one.headers).toMatchObject(await expected(one, [fourth]));
    });

    it("is made with every secret that one of 40 concurrent rotations returned", async () => {
      const { id, secret: first } = await service.createWebhook(key);
      const responses = await Promise.all(Array.from({ length: 40 }, () => rotate(id)));
      const successes = responses.filter(({ status }) => status === 200);
      expect(responses.filter(({ status }) => status === 409)).toHaveLength(38);
      const secrets = await Promise.all(successes.map(secretOf));
      const { secret: masked } = await service.getWebhook(key, id);
      // The newest one signs first.
      secrets.sort((a, b) => Number(masked.startsWith(b.slice(0, 8))) - Number(masked.startsWith(a.slice(0, 8))));
      const got = await send();
      expect(got.headers).toMatchObject(await expected(got, [...secrets, first]));
    });
  });
});

describe("the outcome of an attempt (6.5)", () => {
  const NOT_GZIP = { "Content-Encoding": "gzip" };
  const ATTEMPTS: [string, object, object][] = [
    ["204", { status: 204 }, { status: 204, statusText: null }],
    ["299", { status: 299 }, { status: 299, statusText: null }],
    [
      "a redirect, which is not followed",
      { status: 302, headers: { Location: "https://elsewhere.dev/" } },
      { status: 302, statusText: "Found" },
    ],
    ["400", { status: 400 }, { status: 400, statusText: "Bad Request" }],
    ["500", { status: 500 }, { status: 500, statusText: "Internal Server Error" }],
    [
      "a long reason phrase",
      { status: 500, statusText: "no ".repeat(1_000) },
      { status: 500, statusText: "no ".repeat(40).slice(0, 100) },
    ],
    [
      "a success with a body that cannot be read",
      { headers: NOT_GZIP, encodeBody: "manual", body: "{}" },
      { status: 200, statusText: null },
    ],
    [
      "a failure with a body that cannot be read",
      { status: 500, headers: NOT_GZIP, encodeBody: "manual", body: "{}" },
      { status: 500, statusText: "Internal Server Error" },
    ],
    ["no connection", { fails: true }, { status: 0, statusText: "connection failed" }],
    ["an endless body of a success", { endless: true }, { status: 200, statusText: null }],
    [
      "an endless body of a failure",
      { status: 500, endless: true },
      { status: 500, statusText: "Internal Server Error" },
    ],
  ];
  it.each(ATTEMPTS)("%s", async (_, answer, attempt) => {
    await internet.answers({ [HOST]: answer });
    const { id } = await service.createWebhook(key);
    await service.createLink(key);
    await service.deliver();
    const { statusText } = attempt as { statusText: string | null };
    expect(await onlyDelivery(id)).toMatchObject({
      status: statusText === null ? "delivered" : "pending",
      attempts: [attempt],
    });
    expect((await service.getWebhook(key, id)).failureCount).toBe(statusText === null ? 0 : 1);
    expect(await internet.received()).toHaveLength(1);
  });

  it.each([
    ["private", ["10.0.0.1"], "blocked address"],
    ["public and private", ["93.184.215.14", "127.0.0.1"], "blocked address"],
    ["private by IPv6", ["93.184.215.14", "fd00::1"], "blocked address"],
    ["removed from the DNS", [], "connection failed"],
    ["looked up at a failing resolver", "broken", "connection failed"],
    ["looked up at a resolver with invalid responses", "nonsense", "connection failed"],
  ])("a name that is %s at the time of the attempt is not called", async (_, addresses, statusText) => {
    const { id } = await service.createWebhook(key);
    await internet.addresses({ [HOST]: addresses });
    await service.createLink(key);
    await service.deliver();
    expect(await onlyDelivery(id)).toMatchObject({ attempts: [{ status: 0, statusText }] });
    expect(await internet.received()).toEqual([]);
  });
});

describe("the log", () => {
  it("has pages, newest first, and each delivery can be retried", async () => {
    const { id } = await service.createWebhook(key);
    for (let n = 0; n < 5; n++) {
      await service.createLink(key);
      advance(10);
    }
    await service.deliver();
    const first = await log(id, "?limit=2");
    const second = await log(id, `?limit=2&cursor=${first.nextCursor}`);
    const third = await log(id, `?limit=2&cursor=${second.nextCursor}`);
    const all = [first, second, third].flatMap(({ deliveries }) => deliveries);
    expect(all.map(({ createdAt }) => createdAt)).toEqual([40, 30, 20, 10, 0].map((ms) => START + ms));
    expect(third.nextCursor).toBeNull();
    expect((await log(id, "?limit=2&page=2")).deliveries).toEqual(second.deliveries);

    const before = (await internet.received()).find(({ headers }) => headers["webhook-id"] === all[4]?.id);
    await internet.reset();
    const path = `/api/webhooks/${id}/deliveries/${all[4]?.id}/retry`;
    const response = await service.call("POST", path, { key });
    expect([response.status, await jsonOf(response)]).toMatchObject([200, { delivery: { status: "pending" } }]);
    await service.deliver();
    const again = await internet.received();
    expect(again.map(({ headers, body }) => [headers["webhook-id"], body])).toEqual([[all[4]?.id, before?.body]]);
    expect((await log(id, "?limit=1&page=5")).deliveries[0]).toMatchObject({ status: "delivered", attempts: [{}, {}] });
  });
});
