// Receives webhooks with nothing but Node's own modules: WEBHOOK_SECRET=whsec_… node node.js
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";

const { WEBHOOK_SECRET = "", PORT = "3000" } = process.env;
const TOLERANCE_SECONDS = 300;

/** Whether `header` (X-Service-Signature) signs the raw body and is not older than 5 minutes. */
function isSigned(body, header) {
  const parts = header.split(",").map((part) => part.split("="));
  const timestamp = parts.find(([name]) => name === "t")?.[1] ?? "";
  if (!/^\d+$/.test(timestamp) || Math.abs(Date.now() / 1_000 - Number(timestamp)) > TOLERANCE_SECONDS) return false;
  const expected = createHmac("sha256", WEBHOOK_SECRET).update(`${timestamp}.`).update(body).digest();
  // After a rotation of the secret there are two v1 values. One of them must match.
  return parts.some(([name, value]) => {
    const given = Buffer.from(value ?? "", "hex");
    return name === "v1" && given.length === expected.length && timingSafeEqual(given, expected);
  });
}

/** In production, keep these ids in your database. */
const processed = new Set();

async function receive(request, response) {
  const body = await buffer(request);
  const signed = isSigned(body, request.headers["x-service-signature"] ?? "");
  response.writeHead(signed ? 204 : 401).end();
  const id = request.headers["webhook-id"];
  if (!signed || processed.has(id)) return;
  processed.add(id);
  const { event, data } = JSON.parse(body.toString());
  console.log(event, data);
}

createServer((request, response) => {
  receive(request, response).catch(() => response.destroy());
}).listen(Number(PORT), "127.0.0.1");
