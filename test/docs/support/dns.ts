import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { challengeName, challengeValue } from "../../../src/domains/challenge.ts";

export interface Dns {
  /** For `DNS_OVER_HTTPS_URL`. */
  url: string;
  /** Domains whose TXT records are missing. */
  lost: Set<string>;
  stop(): void;
}

/** Starts a DNS resolver that has the records which the service asks for, of every domain in its `database`. */
export async function startDns(serviceHost: string, database: () => D1Database): Promise<Dns> {
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? "/", "http://dns");
    void recordsOf(searchParams.get("name") ?? "", searchParams.get("type") ?? "").then((Answer) =>
      response.end(JSON.stringify({ Status: 0, Answer })),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

  async function recordsOf(name: string, type: string): Promise<{ type: number; data: string }[]> {
    if (type === "CNAME" && name.endsWith(".acme.com")) return [{ type: 5, data: `${serviceHost}.` }];
    if (type !== "TXT") return [];
    const { results } = await database().prepare("SELECT domain, token FROM domains").all<Record<string, string>>();
    const owners = results.filter(({ domain = "" }) => challengeName(domain) === name && !dns.lost.has(domain));
    return owners.map(({ token = "" }) => ({ type: 16, data: `"${challengeValue(token)}"` }));
  }

  const dns: Dns = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/dns-query`,
    lost: new Set(),
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
  return dns;
}
