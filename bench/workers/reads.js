// Does what a cold redirect cannot do without: the one read in the database, then the 302.

import { env } from "cloudflare:workers";

/** As the service sent it, with the slug that was asked for then. */
const { sql, params, slug: recorded } = env.READ;

export default {
  async fetch(request) {
    const slug = new URL(request.url).pathname.slice(1);
    const values = params.map((value) => (value === recorded ? slug : value));
    const { results } = await env.DB.withSession("first-unconstrained")
      .prepare(sql)
      .bind(...values)
      .all();
    const [link] = results;
    if (link === undefined) return new Response(null, { status: 404 });
    return new Response(null, { status: 302, headers: { Location: link.url } });
  },
};
