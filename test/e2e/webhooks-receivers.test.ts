import { Webhook as StandardWebhook } from "standardwebhooks";
import { Stripe } from "stripe";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { callApi, createAccount } from "./support/accounts.ts";
import { startReceiver, type Arrival, type Receiver } from "./support/receiver.ts";
import { until } from "../support/until.ts";
import { startService, type Isolate, type Service } from "./support/service.ts";

let service: Service<"here">;
let here: Isolate;
let receiver: Receiver;
let arrival: Arrival;
let secret: string;
let key: string;
let webhookId: string;

const TITLE = 'Grüße 🐦 "quoted" \\ \u2028 漢字';

beforeAll(async () => {
  receiver = await startReceiver();
  service = await startService(
    { here: "one" },
    { variables: { BASE_URL: "http://localhost:8787", WEBHOOK_ALLOWED_PRIVATE_HOSTS: "127.0.0.1" } },
  );
  here = service.isolates.here;
  ({ key } = await createAccount(service.db));
  const body = { url: `${receiver.origin}/in`, events: ["link.create"] };
  const created = await callApi(here, key, "POST", "/api/webhooks", body);
  ({ id: webhookId, secret } = (created.json() as { webhook: { id: string; secret: string } }).webhook);
  arrival = await nextArrival();
});
afterAll(async () => {
  await service.stop();
  await receiver.stop();
});
afterEach(() => void vi.useRealTimers());

async function nextArrival(): Promise<Arrival> {
  const before = receiver.arrivals.length;
  await callApi(here, key, "POST", "/api/links", { url: "https://example.com/", title: TITLE });
  await until(() => receiver.arrivals.length > before);
  return receiver.arrivals.at(-1) as Arrival;
}

const signatureOf = ({ headers }: Arrival) => headers["x-service-signature"] as string;
const sentAt = (each: Arrival) => Number(/^t=(\d+)/.exec(signatureOf(each))?.[1]);

const stripe = new Stripe("sk_test_none").webhooks.signature as NonNullable<Stripe["webhooks"]["signature"]>;

describe("the official Stripe library", () => {
  /** Verifies the delivery `seconds` after it was sent. */
  const verify = (seconds: number, body = arrival.body, header = signatureOf(arrival), with_ = secret) =>
    stripe.verifyHeader(body, header, with_, 300, undefined, (sentAt(arrival) + seconds) * 1_000);

  it("accepts the delivery, which contains Unicode, within its tolerance", () => {
    for (const seconds of [0, 299]) expect(verify(seconds)).toBe(true);
    expect((JSON.parse(arrival.body) as { data: { title: string } }).data.title).toBe(TITLE);
  });

  it("rejects a delivery that is stale, modified, or signed with another time or secret", () => {
    expect(() => verify(302)).toThrow(/tolerance/);
    expect(() => verify(0, arrival.body.replace("🐦", "🐧"))).toThrow(/signature/i);
    expect(() => verify(0, `${arrival.body} `)).toThrow(/signature/i);
    const later = signatureOf(arrival).replace(/^t=\d+/, `t=${sentAt(arrival) + 9_999}`);
    expect(() => verify(9_999, arrival.body, later)).toThrow(/signature/i);
    expect(() => verify(0, arrival.body, signatureOf(arrival), "whsec_another")).toThrow(/signature/i);
  });
});

describe("the library of Standard Webhooks", () => {
  const verify = (body = arrival.body, headers: object = {}) =>
    new StandardWebhook(secret).verify(body, { ...(arrival.headers as Record<string, string>), ...headers });

  it("accepts the delivery", () => {
    expect(verify()).toMatchObject({ event: "link.create", data: { title: TITLE } });
  });

  it("rejects a delivery that is stale, from the future, modified, or has another id", () => {
    expect(() => verify(`${arrival.body} `)).toThrow(/signature/i);
    expect(() => verify(arrival.body, { "webhook-id": "another" })).toThrow(/signature/i);
    vi.useFakeTimers({ toFake: ["Date"], now: (sentAt(arrival) + 302) * 1_000 });
    expect(() => verify()).toThrow(/too old/i);
    vi.setSystemTime((sentAt(arrival) - 302) * 1_000);
    expect(() => verify()).toThrow(/too new/i);
  });
});

it("both libraries accept both secrets for a day after a rotation", async () => {
  const rotated = await callApi(here, key, "POST", `/api/webhooks/${webhookId}/rotate-secret`);
  const next = (rotated.json() as { webhook: { secret: string } }).webhook.secret;
  const both = await nextArrival();
  for (const each of [next, secret]) {
    stripe.verifyHeader(both.body, signatureOf(both), each, 300);
    new StandardWebhook(each).verify(both.body, both.headers as Record<string, string>);
  }
});
