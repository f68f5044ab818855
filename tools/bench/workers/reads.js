// The minimum of a cold redirect: a look in the Cache API that finds nothing, the service's database read, a 302, and a
// put that the response does not wait for.

import { env } from "cloudflare:workers";

/** The statement as the service sent it, and the slug that it was sent for. */
const { sql, params, slug: recorded } = env.READ;

export default {
  async fetch(request, _env, ctx) {
    const slug = new URL(request.url).pathname.slice(1);
    const key = `https://links.cache/${slug}`;
    const cache = await caches.open("reads");
    if ((await cache.match(key)) !== undefined) return new Response("not cold", { status: 500 });
    const values = params.map((value) => (value === recorded ? slug : value));
    const { results } = await env.DB.withSession("first-unconstrained")
      .prepare(sql)
      .bind(...values)
      .all();
    const [link] = results;
    if (link === undefined) return new Response(null, { status: 404 });
    ctx.waitUntil(cache.put(key, Response.json(link, { headers: { "Cache-Control": "max-age=86400" } })));
    return new Response(null, { status: 302, headers: { Location: link.url } });
  },
};
