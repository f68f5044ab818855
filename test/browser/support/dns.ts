import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

const TYPES: Record<string, number> = { A: 1, CNAME: 5, TXT: 16, AAAA: 28 };

/** Records of the names, by `<type> <name>`. */
type Records = Record<string, string[]>;

export interface DnsServer {
  /** `http://127.0.0.1:<port>`. Its path `/dns-query` is for `DNS_OVER_HTTPS_URL`. */
  origin: string;
  stop: () => void;
}

/** Starts a DNS resolver, to whose records the tests add theirs with {@link setRecords}. */
export async function startDns(): Promise<DnsServer> {
  const records: Records = {};
  const server = createServer((request, response) => {
    if (request.method === "PUT") {
      void json(request).then((added) => response.end(JSON.stringify(Object.assign(records, added))));
      return;
    }
    const { searchParams } = new URL(request.url ?? "/", "http://dns");
    const type = searchParams.get("type") ?? "";
    const data = records[`${type} ${searchParams.get("name")}`] ?? [];
    response.end(JSON.stringify({ Status: 0, Answer: data.map((each) => ({ type: TYPES[type], data: each })) }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Replaces the records of these types and names at the resolver. */
export async function setRecords(dnsOrigin: string, records: Records): Promise<void> {
  await fetch(dnsOrigin, { method: "PUT", body: JSON.stringify(records) });
}
