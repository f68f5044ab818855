// Responds with 302 and does nothing else.

import { env } from "cloudflare:workers";

const { DESTINATION } = env;

export default {
  fetch: () => new Response(null, { status: 302, headers: { Location: DESTINATION } }),
};
