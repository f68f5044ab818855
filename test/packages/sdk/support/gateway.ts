import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { freshAddress } from "../../../support/address.ts";

/** What happens to a request on its way to the service. */
export type Fault =
  /** The connection breaks before the service has the request. */
  | "lost-request"
  /** The service responds, and the connection breaks. */
  | "lost-response"
  /** The response stops in its middle. */
  | "cut-response"
  /** The service responds, and the client never gets it. */
  | "stalled"
  /** The service gets the request twice. */
  | "repeated"
  | "limited"
  | "unavailable"
  /** An error page of something else than the service. */
  | "bad-gateway";

export interface Gateway {
  origin: string;
  /** The number of requests. */
  requests: number;
  stop(): Promise<void>;
}

interface Answer {
  status: number;
  headers: IncomingMessage["headers"];
  body: Buffer;
}

/**
 * Passes requests on to a service that knows itself by another host, as Cloudflare would: each with an IP address of its
 * own, so that no rate limit applies. `nextFault` is asked for each request.
 */
export async function startGateway(
  address: URL,
  host: string,
  nextFault: () => Fault | null = () => null,
): Promise<Gateway> {
  const forward = (incoming: IncomingMessage, body: Buffer) =>
    new Promise<Answer>((resolve, reject) => {
      const headers = { ...incoming.headers, host, "cf-connecting-ip": freshAddress() };
      const { method = "GET", url: path = "/" } = incoming;
      const sent = request(address, { agent: false, method, path, headers }, (response) => {
        const { statusCode: status = 0, headers } = response;
        buffer(response).then((body) => resolve({ status, headers, body }), reject);
      });
      sent.on("error", reject);
      sent.end(body);
    });
  const server = createServer((incoming, outgoing) => {
    gateway.requests++;
    void buffer(incoming)
      .then((body) => pass(incoming, outgoing, nextFault(), (request) => forward(request, body)))
      .catch(() => outgoing.destroy());
  });
  const gateway: Gateway = {
    origin: "",
    requests: 0,
    stop: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  gateway.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return gateway;
}

async function pass(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  fault: Fault | null,
  forward: (incoming: IncomingMessage) => Promise<Answer>,
): Promise<void> {
  if (fault === "lost-request") return void outgoing.destroy();
  const refusal = REFUSALS[fault ?? ""];
  if (refusal !== undefined) return void outgoing.writeHead(refusal.status, refusal.headers).end(refusal.body);
  const answers = await Promise.all(
    fault === "repeated" ? [forward(incoming), forward(incoming)] : [forward(incoming)],
  );
  const { status, headers, body } = answers.at(-1) as Answer;
  if (fault === "stalled") return;
  if (fault === "lost-response") return void outgoing.destroy();
  outgoing.writeHead(status, headers);
  if (fault !== "cut-response") return void outgoing.end(body);
  outgoing.write(body.subarray(0, body.length / 2), () => outgoing.destroy());
}

const REFUSALS: Record<string, { status: number; headers: Record<string, string>; body: string }> = {
  limited: {
    status: 429,
    headers: { "Content-Type": "application/json", "Retry-After": "1" },
    body: '{"error":"Too many calls.","code":"rate_limited"}',
  },
  unavailable: {
    status: 503,
    headers: { "Content-Type": "application/json" },
    body: '{"error":"The database did not respond.","code":"unavailable"}',
  },
  "bad-gateway": { status: 502, headers: { "Content-Type": "text/html" }, body: "<h1>Bad gateway</h1>" },
};
