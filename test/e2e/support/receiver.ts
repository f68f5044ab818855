import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** A request that a receiver got. */
export interface Arrival {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** `performance.now()` when the body was complete. */
  at: number;
}

export interface Receiver {
  /** `http://127.0.0.1:<port>`. */
  origin: string;
  arrivals: Arrival[];
  /** Requests without a response. */
  inFlight: number;
  /** The maximum of `inFlight` so far. */
  mostInFlight: number;
  stop(): Promise<void>;
}

/** How a receiver responds to a request once its body is complete. */
type Behaviour = (response: ServerResponse, arrival: Arrival) => void;

const answersOk: Behaviour = (response) => response.end("ok");

/** Starts a receiver of webhooks on this machine. */
export async function startReceiver(behave: Behaviour = answersOk): Promise<Receiver> {
  const server = createServer((request, response) => {
    receiver.inFlight++;
    receiver.mostInFlight = Math.max(receiver.mostInFlight, receiver.inFlight);
    response.once("close", () => receiver.inFlight--);
    void (async () => {
      const { url: path = "", headers } = request;
      const arrival = { path, headers, body: await text(request), at: performance.now() };
      receiver.arrivals.push(arrival);
      behave(response, arrival);
    })();
  });
  const receiver: Receiver = { origin: "", arrivals: [], inFlight: 0, mostInFlight: 0, stop: () => close(server) };
  receiver.origin = await listen(server);
  return receiver;
}

/** Never responds. */
export const hangs: Behaviour = () => undefined;

export const answers =
  (status: number, headers: Record<string, string> = {}): Behaviour =>
  (response) => {
    response.writeHead(status, headers);
    response.end();
  };

/** Responds 200 with a body of this size, as fast as the client reads it. */
export const sends =
  (bytes: number): Behaviour =>
  (response) => {
    const chunk = Buffer.alloc(65_536);
    let left = bytes;
    const write = () => {
      while (left > 0 && !response.destroyed) {
        left -= chunk.length;
        if (!response.write(chunk)) {
          response.once("drain", write);
          return;
        }
      }
      response.end();
    };
    write();
  };

/** The numbers of types of DNS records. Addresses are `A`, unless `AAAA` is asked for. */
const RECORD_TYPES: Record<string, number> = { A: 1, TXT: 16, AAAA: 28 };

export interface Resolver {
  /** The value of `DNS_OVER_HTTPS_URL`. */
  url: string;
  /** The addresses of names. Other names do not exist. */
  addresses: Map<string, string[]>;
  /** The values of TXT records by their names. */
  texts: Map<string, string[]>;
  stop(): Promise<void>;
}

/** Starts a DNS-over-HTTPS resolver with the JSON format. */
export async function startResolver(): Promise<Resolver> {
  const addresses = new Map<string, string[]>();
  const texts = new Map<string, string[]>();
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? "/", "http://resolver");
    const name = searchParams.get("name") ?? "";
    const type = searchParams.get("type") ?? "";
    const ofName = addresses.get(name) ?? [];
    const data = type === "TXT" ? texts.get(name) : ofName.filter((each) => each.includes(":") === (type === "AAAA"));
    const answers = (data ?? []).map((each) => ({ name, type: RECORD_TYPES[type], data: each }));
    response.setHeader("Content-Type", "application/dns-json");
    response.end(JSON.stringify({ Status: 0, Answer: answers }));
  });
  return { url: `${await listen(server)}/dns-query`, addresses, texts, stop: () => close(server) };
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function close(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}

/** Returns the ids of the links in the events of this type that the receiver got. */
export function linksIn(receiver: Receiver, type: string): Set<string> {
  const events = receiver.arrivals.map(({ body }) => JSON.parse(body) as { event: string; data: { id: string } });
  return new Set(events.filter(({ event }) => event === type).map(({ data }) => data.id));
}
