import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callApi, createAccount } from "../e2e/support/accounts.ts";
import { type Arrival } from "../e2e/support/receiver.ts";
import { until } from "../support/until.ts";
import { startInstallation, type Installation } from "./support/installation.ts";
import { blocksOf, readPage } from "./support/pages.ts";
import { isInstalled, startExample, type RunningReceiver } from "./support/receivers.ts";

const EXAMPLES = ["node.js", "stripe.js", "standard-webhooks.js", "cloudflare-worker.js", "python.py"];
const TITLE = 'Grüße 🐦 "quoted" \\ \u2028 漢字';
const OLDER_THAN_TOLERANCE_MS = 302_000;

let installation: Installation;
let key: string;
let webhookId: string;
/** The secret before a rotation: deliveries are signed with it and with the new one. */
let secret: string;
let delivery: Arrival;
let stale: Arrival;
let ofAnotherWebhook: Arrival;

async function api<T>(method: string, path: string, body?: object): Promise<T> {
  return (await callApi(installation.here, key, method, path, body)).json() as T;
}

async function createWebhook(path: string): Promise<{ id: string; secret: string }> {
  const body = { url: installation.receiver.origin + path, events: ["link.create"] };
  return (await api<{ webhook: { id: string; secret: string } }>("POST", "/api/webhooks", body)).webhook;
}

/** Creates a link, and returns the delivery that each of the two webhooks receives. */
async function nextDeliveries(): Promise<Arrival[]> {
  const { arrivals } = installation.receiver;
  arrivals.length = 0;
  await api("POST", "/api/links", { url: "https://example.com/", title: TITLE });
  await until(() => arrivals.length === 2);
  return arrivals.toSorted((a, b) => a.path.localeCompare(b.path));
}

beforeAll(async () => {
  installation = await startInstallation();
  ({ key } = await createAccount(installation.service.db));
  ({ id: webhookId, secret } = await createWebhook("/a"));
  await createWebhook("/b");
  await api("POST", `/api/webhooks/${webhookId}/rotate-secret`);
  [delivery, ofAnotherWebhook] = (await nextDeliveries()) as [Arrival, Arrival];
  await installation.here.advance(-OLDER_THAN_TOLERANCE_MS);
  [stale] = (await nextDeliveries()) as [Arrival];
  await installation.here.advance(OLDER_THAN_TOLERANCE_MS);
});
afterAll(() => installation.stop());

describe.each(EXAMPLES.filter((file) => !file.endsWith(".py") || isInstalled("python3")))(
  "examples/webhooks/%s",
  (file) => {
    let receiver: RunningReceiver;
    beforeAll(async () => {
      receiver = await startExample(file, secret);
    });
    afterAll(() => receiver.stop());

    async function send(
      { body, headers }: Arrival,
      changed: { body?: string; headers?: object } = {},
    ): Promise<number> {
      const { host: _, connection: __, "content-length": ___, ...own } = headers;
      const all = { ...own, ...changed.headers } as Record<string, string>;
      return (await fetch(receiver.url, { method: "POST", body: changed.body ?? body, headers: all })).status;
    }

    it("accepts a delivery that the service sends", async () => {
      await api("PATCH", `/api/webhooks/${webhookId}`, { url: receiver.url });
      expect(await api("POST", `/api/webhooks/${webhookId}`)).toEqual({ success: true, status: 204 });
      await until(() => receiver.printed().includes("webhook.test"));
    });

    it("accepts a body with Unicode, and processes a redelivery once", async () => {
      expect(await send(delivery)).toBe(204);
      expect(await send(delivery)).toBe(204);
      await until(() => receiver.printed().includes("link.create"));
      expect(receiver.printed().match(/link\.create/g)).toHaveLength(1);
    });

    it("refuses forged, changed, stale and unsigned deliveries", async () => {
      const signature = String(delivery.headers["x-service-signature"]);
      const later = Number(delivery.headers["webhook-timestamp"]) + 1;
      const wrong: [name: string, arrival: Arrival, changed?: { body?: string; headers?: object }][] = [
        ["another secret", ofAnotherWebhook],
        ["5 minutes old", stale],
        ["a changed body", delivery, { body: delivery.body.replace("🐦", "🐧") }],
        ["a longer body", delivery, { body: `${delivery.body} ` }],
        [
          "a later time",
          delivery,
          {
            headers: {
              "x-service-signature": signature.replace(/t=\d+/, `t=${later}`),
              "webhook-timestamp": String(later),
            },
          },
        ],
        ["no signature", delivery, { headers: { "x-service-signature": "", "webhook-signature": "" } }],
        [
          "no v1",
          delivery,
          { headers: { "x-service-signature": signature.replace(/,.*/, ""), "webhook-signature": "v2,AA" } },
        ],
        [
          "no hexadecimal",
          delivery,
          { headers: { "x-service-signature": signature.replace(/,.*/, ",v1=ü"), "webhook-signature": "v1,ü" } },
        ],
        ["no value", delivery, { headers: { "x-service-signature": "t=,v1=", "webhook-signature": "v1," } }],
        [
          "no number",
          delivery,
          { headers: { "x-service-signature": signature.replace(/t=\d+/, "t=x"), "webhook-timestamp": "x" } },
        ],
      ];
      for (const [name, arrival, changed] of wrong) expect(await send(arrival, changed), name).toBe(401);
    });
  },
);

describe("the delivery in docs/webhooks.md", () => {
  const sample = blocksOf("docs/webhooks.md").find(({ flags }) => flags.includes("example"))?.text ?? "";
  const [head = "", body = ""] = sample.trim().split("\n\n");
  const headers = new Map(
    head
      .split("\n")
      .slice(1)
      .map((line) => line.split(": ") as [string, string]),
  );

  it("has the headers of a real delivery", () => {
    for (const [name] of headers) expect(Object.keys(delivery.headers)).toContain(name.toLowerCase());
  });

  it("is signed as the page says", () => {
    const [sampleSecret = ""] = /whsec_[\w+/]+=/.exec(readPage("docs/webhooks.md")) ?? [];
    const sign = (signingKey: string | Buffer, text: string) => createHmac("sha256", signingKey).update(text);
    const [id, t] = [headers.get("webhook-id"), headers.get("webhook-timestamp")];
    const bytes = Buffer.from(sampleSecret.replace("whsec_", ""), "base64");
    expect(headers.get("X-Service-Signature")).toBe(`t=${t},v1=${sign(sampleSecret, `${t}.${body}`).digest("hex")}`);
    expect(headers.get("webhook-signature")).toBe(`v1,${sign(bytes, `${id}.${t}.${body}`).digest("base64")}`);
  });
});
