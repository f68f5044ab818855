// Does what POST /api/links cannot do without: the call of the rate limiter, the read of the key, the batch that
// stores the link. Its statements are those that the service sent, with an id and a slug of their own each time.

import { env } from "cloudflare:workers";

const { key, batch, id: recordedId, seq: recordedSeq, slug: recordedSlug } = env.CREATE;
const { OPERATION, LIMIT } = env;

let made = 0;

export default {
  async fetch(request) {
    const limiter = env.RATE_LIMITER.getByName(request.headers.get("CF-Connecting-IP"));
    const { allowed } = await limiter.take(OPERATION, LIMIT, true);
    if (!allowed) return new Response(null, { status: 429 });
    await env.DB.prepare(key.sql)
      .bind(...key.params)
      .first();
    await request.json();
    const id = crypto.randomUUID();
    const slug = id.slice(0, recordedSlug.length - 1) + String.fromCharCode(97 + (made % 26));
    // In the order of time, as real ones.
    const seq = String((BigInt(Date.now()) << 21n) + BigInt(made++ % 2 ** 21));
    const own = (value) =>
      typeof value === "string"
        ? value.replaceAll(recordedId, id).replaceAll(recordedSeq, seq).replaceAll(recordedSlug, slug)
        : value;
    await env.DB.batch(batch.map(({ sql, params }) => env.DB.prepare(sql).bind(...params.map(own))));
    return Response.json({ link: { id, slug } }, { status: 201 });
  },
};
