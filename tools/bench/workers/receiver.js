// The internet of the service: a DNS resolver at `/dns-query` and a receiver of webhooks at `/hooks`. Any other path returns the
// number of different deliveries, and how many were signed.

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
