import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** The public address of a service, which stays the same while the service behind it is restarted. */
export interface Front {
  /** `http://127.0.0.1:<port>`: the service's `BASE_URL`. */
  origin: string;
  /** Where requests go. Without it, connections are closed, as by a service that does not run. */
  service: URL | undefined;
  /** The paths of the requests so far, with their methods. */
  requests: string[];
  stop(): void;
}

/**
 * Starts it. Each request comes from an address of its own, so that no rate limit applies. With `host`, the service gets
 * this Host header.
 */
export async function startFront(host?: string): Promise<Front> {
  const server = createServer((incoming, outgoing) => {
    front.requests.push(`${incoming.method} ${incoming.url}`);
    if (front.service === undefined) incoming.socket.destroy();
    else passOn(incoming, outgoing, front.service, host);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const front: Front = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    service: undefined,
    requests: [],
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
  return front;
}

function passOn(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { hostname, port }: URL,
  host = incoming.headers.host,
): void {
  const { method, url: path, socket } = incoming;
  const number = () => Math.floor(Math.random() * 256);
  const address = `10.${number()}.${number()}.${number()}`;
  const headers = { ...incoming.headers, ...(host !== undefined && { host }), "CF-Connecting-IP": address };
  const upstream = request({ hostname, port, method, path, headers, agent: false });
  upstream.on("response", (response) => {
    outgoing.writeHead(response.statusCode ?? 502, response.headers);
    response.pipe(outgoing);
    response.on("error", () => socket.destroy());
  });
  upstream.on("error", () => socket.destroy());
  outgoing.on("close", () => {
    if (!outgoing.writableFinished) upstream.destroy();
  });
  incoming.pipe(upstream);
}
