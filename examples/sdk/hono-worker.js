// A Cloudflare Worker with Hono that makes short links and receives webhooks:
// npm install hono /path/to/tern/packages/sdk
// npx wrangler secret put TERN_API_KEY     (also TERN_BASE_URL and WEBHOOK_SECRET)
import { Hono } from "hono";
import { Tern, TernError, webhooks } from "@tern/sdk";

const app = new Hono();

const clientOf = ({ TERN_API_KEY, TERN_BASE_URL }) => new Tern({ apiKey: TERN_API_KEY, baseUrl: TERN_BASE_URL });

/** The short link of an order. A second request gets the same one. */
app.post("/orders/:number/link", async (c) => {
  const { number } = c.req.param();
  const url = `https://example.com/orders/${encodeURIComponent(number)}`;
  const link = await clientOf(c.env).links.upsert({ url, externalId: `order-${number}` });
  return c.json({ shortUrl: link.shortUrl });
});

/** Ids that were processed. In production, keep them in D1 or in a Durable Object: this set is per isolate. */
const processed = new Set();

app.post("/hooks/tern", async (c) => {
  const { event, data } = await webhooks.verify(await c.req.text(), c.req.raw.headers, c.env.WEBHOOK_SECRET);
  const id = c.req.header("webhook-id");
  if (!processed.has(id)) {
    processed.add(id);
    console.log(event, data);
  }
  return c.body(null, 204);
});

app.onError((error, c) => {
  const isForged = error.code === "invalid_signature" || error.code === "stale_timestamp";
  const isRefused = error instanceof TernError && error.status === 400;
  if (!isForged) console.error(error);
  return c.json({ error: error.message }, isForged ? 401 : isRefused ? 400 : 502);
});

export default app;
