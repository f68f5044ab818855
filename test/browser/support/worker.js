// The service, with a path at which tests use its database. SQLite refuses statements of the service while another process
// writes.

import worker from "../../../src/index.ts";

export * from "../../../src/index.ts";

export default {
  ...worker,
  async fetch(request, env, ctx) {
    if (new URL(request.url).pathname !== "/test/database") return worker.fetch(request, env, ctx);
    const statements = await request.json();
    return Response.json(await env.DB.batch(statements.map(({ sql, values }) => env.DB.prepare(sql).bind(...values))));
  },
};
