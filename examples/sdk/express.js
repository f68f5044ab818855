// A server with Express that makes short links and receives webhooks. The secret is that of the webhook:
// npm install express /path/to/tern/packages/sdk
// TERN_API_KEY=svc_sk_live_… TERN_BASE_URL=https://go.example WEBHOOK_SECRET=whsec_… PORT=3000 node express.js
import express from "express";
import { Tern, TernError, webhooks } from "@tern/sdk";

const { WEBHOOK_SECRET = "", PORT = "3000" } = process.env;
const client = new Tern();
const app = express();

/** The short link of an order. A second request gets the same one. */
app.post("/orders/:number/link", async (request, response) => {
  const { number } = request.params;
  const url = `https://example.com/orders/${encodeURIComponent(number)}`;
  const link = await client.links.upsert({ url, externalId: `order-${number}` });
  response.json({ shortUrl: link.shortUrl });
});

/** Ids that were processed. In production, keep them in a database. */
const processed = new Set();

// The signature is over the raw body, so express.json() must not read it. A request of any type gets a verdict.
app.post("/hooks/tern", express.raw({ type: () => true, limit: "1mb" }), async (request, response) => {
  const { event, data } = await webhooks.verify(request.body ?? "", request.headers, WEBHOOK_SECRET);
  // Respond first, and do the work afterwards.
  response.sendStatus(204);
  const id = request.get("webhook-id");
  if (processed.has(id)) return;
  processed.add(id);
  console.log(event, data);
});

app.use((error, request, response, _next) => {
  const isForged = error.code === "invalid_signature" || error.code === "stale_timestamp";
  const isRefused = error instanceof TernError && error.status === 400;
  if (!isForged) console.error(error);
  response.status(isForged ? 401 : isRefused ? 400 : 502).json({ error: error.message });
});

app.listen(Number(PORT));
