import { toBase64 } from "../../platform/lib/encryption.ts";
import { toHex } from "../../platform/lib/hash.ts";
import type { OutgoingEvent } from "../../platform/outbox/event-types.ts";
import { bytesOf } from "../secret.ts";

/** The headers of a delivery of the event at `now`, signed with each of the secrets. */
export async function deliveryHeaders(
  secrets: readonly string[],
  { id, type, body }: OutgoingEvent,
  now: number,
): Promise<Record<string, string>> {
  const timestamp = Math.floor(now / 1_000);
  return {
    "Content-Type": "application/json",
    "User-Agent": "Service-Webhook/1.0",
    "X-Service-Event": type,
    ...(await signatureHeaders(secrets, { eventId: id, timestamp, body })),
  };
}

/**
 * The signature headers of the service and of the Standard Webhooks specification, with one signature per secret.
 * `timestamp` is in seconds.
 */
async function signatureHeaders(
  secrets: readonly string[],
  { eventId, timestamp, body }: { eventId: string; timestamp: number; body: string },
): Promise<Record<string, string>> {
  const ours = secrets.map(async (secret) => {
    return `v1=${toHex(await hmac(encode(secret), `${timestamp}.${body}`))}`;
  });
  const standard = secrets.map(async (secret) => {
    return `v1,${toBase64(await hmac(bytesOf(secret), `${eventId}.${timestamp}.${body}`))}`;
  });
  return {
    "X-Service-Signature": [`t=${timestamp}`, ...(await Promise.all(ours))].join(","),
    "webhook-id": eventId,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": (await Promise.all(standard)).join(" "),
  };
}

async function hmac(key: Uint8Array<ArrayBuffer>, text: string): Promise<Uint8Array> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("raw", key, algorithm, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, encode(text)));
}

function encode(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(new TextEncoder().encode(text));
}
