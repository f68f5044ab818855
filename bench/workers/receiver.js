// The internet as the service finds it: a resolver of names by DNS over HTTPS, and whoever gets webhooks. At any
// other path than `/hooks` and `/dns-query` it tells how many deliveries, each with its own id, it has got.

const ADDRESS = "93.184.215.14";
const A = 1;

const delivered = new Set();
let signed = 0;

export default {
  async fetch(request) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/dns-query") {
      const name = searchParams.get("name");
      const answers = searchParams.get("type") === "A" ? [{ name, type: A, TTL: 300, data: ADDRESS }] : [];
      return Response.json({ Status: 0, Answer: answers });
    }
    if (!pathname.startsWith("/hooks")) return Response.json({ delivered: delivered.size, signed });
    await request.text();
    delivered.add(`${pathname} ${request.headers.get("webhook-id")}`);
    if (request.headers.has("webhook-signature")) signed++;
    return new Response("ok");
  },
};
