import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** A delivery as it arrived. */
export interface Arrival {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  at: number;
}

export interface Receiver {
  /** `http://127.0.0.1:<port>`. */
  origin: string;
  arrivals: Arrival[];
  stop(): Promise<void>;
}

/** What is done with a request once its body is read. */
type Behaviour = (response: ServerResponse, arrival: Arrival) => void;

const answersOk: Behaviour = (response) => response.end("ok");

/** A real receiver of webhooks on this machine. */
export async function startReceiver(behave: Behaviour = answersOk): Promise<Receiver> {
  const arrivals: Arrival[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const { url: path = "", headers } = request;
      const arrival = { path, headers, body: await text(request), at: performance.now() };
      arrivals.push(arrival);
      behave(response, arrival);
    })();
  });
  return { origin: await listen(server), arrivals, stop: () => close(server) };
}

/** Never answers. */
export const hangs: Behaviour = () => undefined;

export const answers =
  (status: number, headers: Record<string, string> = {}): Behaviour =>
  (response) => {
    response.writeHead(status, headers);
    response.end();
  };

/** A success with a body of this size, as fast as it is taken. */
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

export interface Resolver {
  /** For `DNS_OVER_HTTPS_URL`. */
  url: string;
  /** What names lead to; unknown ones to nothing. */
  addresses: Map<string, string[]>;
  stop(): Promise<void>;
}

/** A real resolver of names by DNS over HTTPS, in the JSON form. */
export async function startResolver(): Promise<Resolver> {
  const addresses = new Map<string, string[]>();
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? "/", "http://resolver");
    const name = searchParams.get("name") ?? "";
    const v6 = searchParams.get("type") === "AAAA";
    const data = (addresses.get(name) ?? []).filter((address) => address.includes(":") === v6);
    response.setHeader("Content-Type", "application/dns-json");
    response.end(JSON.stringify({ Status: 0, Answer: data.map((each) => ({ name, type: v6 ? 28 : 1, data: each })) }));
  });
  return { url: `${await listen(server)}/dns-query`, addresses, stop: () => close(server) };
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

/** Waits until the condition holds; how long that may take is the test's own time limit. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 10));
}
