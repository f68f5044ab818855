// Receives webhooks with the verifier of Stripe's library: npm install stripe; WEBHOOK_SECRET=whsec_… node stripe.js
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { Stripe } from "stripe";

const { WEBHOOK_SECRET = "", PORT = "3000" } = process.env;
const TOLERANCE_SECONDS = 300;

// The library asks for an API key of Stripe, but verifying a signature does not use it.
const { signature } = new Stripe("sk_test_unused").webhooks;

function isSigned(body, header) {
  try {
    return signature.verifyHeader(body, header, WEBHOOK_SECRET, TOLERANCE_SECONDS);
  } catch {
    return false;
  }
}

/** In production, keep these ids in your database. */
const processed = new Set();

async function receive(request, response) {
  const body = await text(request);
  const signed = isSigned(body, request.headers["x-service-signature"] ?? "");
  response.writeHead(signed ? 204 : 401).end();
  const id = request.headers["webhook-id"];
  if (!signed || processed.has(id)) return;
  processed.add(id);
  const { event, data } = JSON.parse(body);
  console.log(event, data);
}

createServer((request, response) => {
  receive(request, response).catch(() => response.destroy());
}).listen(Number(PORT), "127.0.0.1");
