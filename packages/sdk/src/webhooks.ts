import { TernError } from "./error.ts";
import type { WebhookEvent } from "./types.ts";

/** Headers of a request: of `fetch`, of Node, or a plain object. Names are in any case. */
export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>;

export interface VerifyOptions {
  /** How old, or how far in the future, the delivery may be: by default 300. */
  toleranceSeconds?: number;
}

export interface SignOptions {
  /** The id of the event: by default a new one. */
  id?: string;
  /** In seconds: by default now. */
  timestamp?: number;
}

const TOLERANCE_SECONDS = 300;
const PREFIX = "whsec_";

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Returns the event of a delivery. Throws a {@link TernError} unless one of its signatures is right and it is new.
 * `body` is the body as it was received: JSON that was parsed and written again has other bytes.
 */
export async function verify(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
  { toleranceSeconds = TOLERANCE_SECONDS }: VerifyOptions = {},
): Promise<WebhookEvent> {
  if (typeof body !== "string" && !(body instanceof Uint8Array))
    throw new TypeError("Pass the raw body, not the parsed JSON.");
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  const { timestamp, signatures, signed, key } = readSignatures(toHeaders(headers), text, secret);
  if (!/^\d{1,12}$/.test(timestamp) || !(await isSigned(key, signed, signatures)))
    throw new TernError("invalid_signature", "The delivery has no valid signature.");
  if (Math.abs(Date.now() / 1_000 - Number(timestamp)) > toleranceSeconds)
    throw new TernError("stale_timestamp", `The delivery is not of the last ${toleranceSeconds} seconds.`);
  return JSON.parse(text) as WebhookEvent;
}

/** Returns the headers that a delivery of the body has. For tests of a receiver. */
export async function sign(
  body: string,
  secret: string,
  { id = crypto.randomUUID(), timestamp = Math.floor(Date.now() / 1_000) }: SignOptions = {},
): Promise<Record<string, string>> {
  const own = await hmac(encode(secret), `${timestamp}.${body}`);
  const standard = await hmac(bytesOf(secret), `${id}.${timestamp}.${body}`);
  return {
    "Content-Type": "application/json",
    "X-Service-Event": String((JSON.parse(body) as { event: unknown }).event),
    "X-Service-Signature": `t=${timestamp},v1=${Array.from(own, (byte) => byte.toString(16).padStart(2, "0")).join("")}`,
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": `v1,${btoa(String.fromCharCode(...standard))}`,
  };
}

interface Signatures {
  timestamp: string;
  signatures: Bytes[];
  /** What is signed. */
  signed: string;
  key: Bytes;
}

/** Those of the Standard Webhooks specification, which also sign the id; else those of `X-Service-Signature`. */
function readSignatures(headers: Map<string, string | undefined>, body: string, secret: string): Signatures {
  const standard = headers.get("webhook-signature");
  if (standard !== undefined) {
    const timestamp = headers.get("webhook-timestamp") ?? "";
    return {
      timestamp,
      signatures: all(standard, /(?:^| )v1,([A-Za-z0-9+/]{43}=)(?= |$)/g).map(fromBase64),
      signed: `${headers.get("webhook-id")}.${timestamp}.${body}`,
      key: bytesOf(secret),
    };
  }
  const own = headers.get("x-service-signature") ?? "";
  const timestamp = /^t=(\d+)/.exec(own)?.[1] ?? "";
  return {
    timestamp,
    signatures: all(own, /,v1=([0-9a-f]{64})(?=,|$)/g).map(fromHex),
    signed: `${timestamp}.${body}`,
    key: encode(secret),
  };
}

/** `crypto.subtle.verify` compares in constant time. After a rotation of the secret there is a signature of each. */
async function isSigned(bytes: Bytes, text: string, signatures: Bytes[]): Promise<boolean> {
  const key = await importKey(bytes);
  for (const signature of signatures) if (await crypto.subtle.verify("HMAC", key, signature, encode(text))) return true;
  return false;
}

/** By their names in lower case. The class `Headers` would refuse others that a request has, such as `:path` of HTTP/2. */
function toHeaders(headers: WebhookHeaders): Map<string, string | undefined> {
  // Not `instanceof`: libraries bring their own class.
  const pairs = Symbol.iterator in headers ? [...headers] : Object.entries(headers);
  return new Map(pairs.map(([name, value]) => [name.toLowerCase(), value?.toString()]));
}

/** The decoded bytes after `whsec_`, the key of Standard Webhooks. */
function bytesOf(secret: string): Bytes {
  try {
    if (secret.startsWith(PREFIX)) return fromBase64(secret.slice(PREFIX.length));
  } catch {
    // Falls through to the error.
  }
  throw new TypeError("The secret must be whsec_ and base64.");
}

async function hmac(bytes: Bytes, text: string): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.sign("HMAC", await importKey(bytes), encode(text)));
}

function importKey(bytes: Bytes) {
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign", "verify"]);
}

function all(text: string, pattern: RegExp): string[] {
  return Array.from(text.matchAll(pattern), ([, value = ""]) => value);
}

function encode(text: string): Bytes {
  return new TextEncoder().encode(text);
}

function fromBase64(text: string): Bytes {
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
}

function fromHex(text: string): Bytes {
  return Uint8Array.from(text.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
}
