// The minimum of POST /api/links: the read of the key, the call of the rate limiter for the address, and the batch that
// stores the link. The statements are those of the service, each time with a new id and slug.

import { env } from "cloudflare:workers";

const { key, batch, id: recordedId, seq: recordedSeq, slug: recordedSlug } = env.CREATE;
const { OPERATION, LIMIT } = env;

let created = 0;

export default {
  async fetch(request) {
    await env.DB.prepare(key.sql)
      .bind(...key.params)
      .first();
    const limiter = env.RATE_LIMITER.getByName(request.headers.get("CF-Connecting-IP"));
    const { allowed } = await limiter.take(OPERATION, LIMIT, { keyIsValid: true });
    if (!allowed) return new Response(null, { status: 429 });
    await request.json();
    const id = crypto.randomUUID();
    const slug = id.slice(0, recordedSlug.length - 1) + String.fromCharCode(97 + (created % 26));
    // Increases with time, as in the service.
    const seq = String((BigInt(Date.now()) << 21n) + BigInt(created++ % 2 ** 21));
    const replace = (value) =>
      typeof value === "string"
        ? value.replaceAll(recordedId, id).replaceAll(recordedSeq, seq).replaceAll(recordedSlug, slug)
        : value;
    await env.DB.batch(batch.map(({ sql, params }) => env.DB.prepare(sql).bind(...params.map(replace))));
    return Response.json({ link: { id, slug } }, { status: 201 });
  },
};
