// Receives webhooks in a Cloudflare Worker. The secret: npx wrangler secret put WEBHOOK_SECRET
const TOLERANCE_SECONDS = 300;

/** Whether `header` (X-Service-Signature) signs the raw body and is not older than 5 minutes. */
async function isSigned(body, header, secret) {
  const parts = header.split(",").map((part) => part.split("="));
  const timestamp = parts.find(([name]) => name === "t")?.[1] ?? "";
  if (!/^\d+$/.test(timestamp) || Math.abs(Date.now() / 1_000 - Number(timestamp)) > TOLERANCE_SECONDS) return false;
  const encoder = new TextEncoder();
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, ["verify"]);
  const signed = encoder.encode(`${timestamp}.${body}`);
  // After a rotation of the secret there are two v1 values. One of them must match.
  for (const [name, value = ""] of parts) {
    if (name !== "v1" || !/^[0-9a-f]{64}$/.test(value)) continue;
    // verify() compares in constant time.
    if (await crypto.subtle.verify("HMAC", key, fromHex(value), signed)) return true;
  }
  return false;
}

function fromHex(text) {
  return Uint8Array.from(text.match(/../g), (byte) => Number.parseInt(byte, 16));
}

export default {
  async fetch(request, env, ctx) {
    if (request.method !== "POST") return new Response(null, { status: 405, headers: { Allow: "POST" } });
    const body = await request.text();
    const header = request.headers.get("X-Service-Signature") ?? "";
    if (!(await isSigned(body, header, env.WEBHOOK_SECRET))) return new Response(null, { status: 401 });
    // Respond first. Work that must survive a crash belongs into a queue.
    ctx.waitUntil(process(request.headers.get("webhook-id"), JSON.parse(body)));
    return new Response(null, { status: 204 });
  },
};

/** Ids that were processed. In production, keep them in D1 or in a Durable Object: this set is per isolate. */
const processed = new Set();

async function process(id, { event, data }) {
  if (processed.has(id)) return;
  processed.add(id);
  console.log(event, data);
}
