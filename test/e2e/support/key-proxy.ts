import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { freshAddress } from "../../support/address.ts";

interface Target {
  address: URL;
  /** The API key that requests get, or null: they pass unchanged. */
  key: string | null;
}

export interface KeyProxy {
  origin: string;
  target: Target | null;
  stop(): Promise<void>;
}

/**
 * Starts a proxy for clients that cannot send an API key: it adds the key, keeps `Host`, and gives each request an address
 * of its own, so that no rate limit applies.
 */
export async function startKeyProxy(): Promise<KeyProxy> {
  const server = createServer((incoming, outgoing) => {
    if (proxy.target === null) outgoing.writeHead(503).end();
    else pass(proxy.target, incoming, outgoing);
  });
  const proxy: KeyProxy = {
    origin: "",
    target: null,
    stop: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  proxy.origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  return proxy;
}

function pass({ address, key }: Target, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { method = "GET", url: path = "/" } = incoming;
  const added = { "cf-connecting-ip": freshAddress(), ...(key !== null && { authorization: `Bearer ${key}` }) };
  const sent = request(
    address,
    { agent: false, method, path, headers: { ...incoming.headers, ...added } },
    (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    },
  );
  sent.on("error", () => outgoing.destroy());
  incoming.pipe(sent);
}
