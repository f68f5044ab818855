import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { webhooks } from "@tern/sdk";
import { deliveryHeaders } from "../../../src/webhooks/delivery/signature.ts";
import { blocksOf, readPage } from "../../docs/support/pages.ts";

const ID = "019ac3f0-7d6a-7c3e-9b1f-2f4a5c6d7e8f";
const BODY = '{"event":"webhook.test","timestamp":1790000000000,"data":{"webhookId":"Grüße 🐦 \\u2028"}}';
const generateSecret = () => `whsec_${randomBytes(32).toString("base64")}`;
const secret = generateSecret();
/** The headers of the service. */
const signedBy = (secrets: string[], timestamp: number) =>
  deliveryHeaders(secrets, { id: ID, type: "webhook.test", body: BODY }, timestamp * 1_000);
const now = () => Math.floor(Date.now() / 1_000);

type Fields = Record<string, string>;
const STANDARD = ["webhook-id", "webhook-timestamp", "webhook-signature"];
const only = (headers: Fields, names: string[]) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => names.includes(name)));
/** The signatures of the service, in each scheme alone and in both. */
async function schemes(secrets: string[], timestamp: number): Promise<[string, Fields][]> {
  const headers = await signedBy(secrets, timestamp);
  return [
    ["both", headers],
    ["Standard Webhooks", only(headers, STANDARD)],
    ["X-Service-Signature", only(headers, ["X-Service-Signature"])],
  ];
}
const refusal = (code: string) => expect.objectContaining({ name: "TernError", code, status: 0 });

describe("verify", () => {
  it("returns the event of a delivery that the service signs, in both schemes, also after a rotation", async () => {
    const other = generateSecret();
    for (const secrets of [[secret], [other, secret], [secret, other]]) {
      for (const [name, headers] of await schemes(secrets, now())) {
        const event = await webhooks.verify(BODY, headers, secret);
        expect(event, name).toEqual(JSON.parse(BODY));
        const ofLibrary = { [Symbol.iterator]: () => Object.entries(headers).values() };
        expect(await webhooks.verify(BODY, ofLibrary as unknown as Headers, secret)).toEqual(event);
        expect(await webhooks.verify(new TextEncoder().encode(BODY), new Headers(headers), secret)).toEqual(event);
        // As Node has them.
        const inLowerCase = Object.fromEntries(
          Object.entries(headers).map(([key, value]) => [key.toLowerCase(), value]),
        );
        expect(await webhooks.verify(BODY, { ...inLowerCase, cookie: ["a", "b"], host: undefined }, secret)).toEqual(
          event,
        );
      }
    }
  });

  it("verifies the delivery in docs/webhooks.md", async () => {
    const sample = blocksOf("docs/webhooks.md").find(({ flags }) => flags.includes("example"))?.text ?? "";
    const [head = "", body = ""] = sample.trim().split("\n\n");
    const lines = head.split("\n").slice(1);
    const headers = Object.fromEntries(lines.map((line) => line.split(": ") as [string, string]));
    const [shown = ""] = /whsec_[\w+/]+=/.exec(readPage("docs/webhooks.md")) ?? [];
    await expect(webhooks.verify(body, headers, shown)).rejects.toEqual(refusal("stale_timestamp"));
    const event = await webhooks.verify(body, headers, shown, { toleranceSeconds: Infinity });
    expect(event.event).toBe("webhook.test");
  });

  it("refuses what is forged, changed, old, early or not signed", async () => {
    for (const [name, headers] of await schemes([secret], now())) {
      const code = refusal("invalid_signature");
      await expect(webhooks.verify(BODY, headers, generateSecret()), name).rejects.toEqual(code);
      await expect(webhooks.verify(`${BODY} `, headers, secret), name).rejects.toEqual(code);
      const later = Object.fromEntries(
        Object.entries(headers).map(([key, value]) => [key, value.replace(String(now()), String(now() + 1))]),
      );
      if (JSON.stringify(later) !== JSON.stringify(headers))
        await expect(webhooks.verify(BODY, later, secret), name).rejects.toEqual(code);
    }
    for (const age of [301, -302])
      for (const [name, headers] of await schemes([secret], now() - age))
        await expect(webhooks.verify(BODY, headers, secret), name).rejects.toEqual(refusal("stale_timestamp"));
    for (const headers of [
      {},
      { "X-Service-Signature": "" },
      { "X-Service-Signature": `t=${now()}` },
      { "X-Service-Signature": `t=${now()},v1=` },
      { "X-Service-Signature": `t=x,v1=${"a".repeat(64)}` },
      { "X-Service-Signature": `t=${now()},v1=${"ü".repeat(64)}` },
      { "webhook-signature": "v1,", "webhook-timestamp": String(now()) },
      { "webhook-signature": "v2,AA", "webhook-id": ID, "webhook-timestamp": String(now()) },
      { "webhook-signature": `v1,${"A".repeat(43)}=`, "webhook-id": ID },
      { "webhook-signature": `v1,${"A".repeat(43)}=`, "webhook-id": ID, "webhook-timestamp": "1e9" },
    ])
      await expect(webhooks.verify(BODY, headers as Fields, secret)).rejects.toEqual(refusal("invalid_signature"));
  });

  it("takes the headers of HTTP/2 and values in any characters", async () => {
    const headers = await webhooks.sign(BODY, secret);
    const others = { ":method": "POST", ":path": "/hooks", "x-city": "São Paulo 東京" };
    await expect(webhooks.verify(BODY, { ...others, ...headers }, secret)).resolves.toEqual(JSON.parse(BODY));
    const forged = { ...headers, "webhook-signature": "v1,東京" };
    await expect(webhooks.verify(BODY, forged, secret)).rejects.toEqual(refusal("invalid_signature"));
  });

  it("says what is wrong with its input", async () => {
    const headers = await webhooks.sign(BODY, secret);
    await expect(webhooks.verify(JSON.parse(BODY) as string, headers, secret)).rejects.toThrow("raw body");
    for (const wrong of ["", "secret", "whsec_ü", undefined as unknown as string])
      await expect(webhooks.verify(BODY, headers, wrong)).rejects.toThrow("whsec_");
  });
});

describe("sign", () => {
  it("signs as the service does", async () => {
    const timestamp = 1_790_000_000;
    const headers = await webhooks.sign(BODY, secret, { id: ID, timestamp });
    expect({ "User-Agent": "Service-Webhook/1.0", ...headers }).toEqual(await signedBy([secret], timestamp));
  });

  it("makes a delivery of now with an id of its own", async () => {
    const first = await webhooks.sign(BODY, secret);
    const second = await webhooks.sign(BODY, secret);
    expect(first["webhook-id"]).not.toBe(second["webhook-id"]);
    await expect(webhooks.verify(BODY, first, secret)).resolves.toEqual(JSON.parse(BODY));
  });
});
