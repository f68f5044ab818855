import { readBytes } from "./bounded.ts";
import { DNS_TIMEOUT_MS, MAX_DNS_RESPONSE_BYTES } from "../limits.ts";

const TYPES = { A: 1, AAAA: 28 } as const;

interface DnsAnswer {
  Answer?: { type?: unknown; data?: unknown }[];
}

/**
 * The addresses of a name, by DNS over HTTPS in the JSON form that Cloudflare and Google serve. The resolver
 * follows CNAMEs. Empty where the name has none; throws where the resolver does not answer.
 */
export async function resolveName(resolverUrl: string, name: string): Promise<string[]> {
  const addresses: string[] = [];
  // One after the other: an attempt is to take one of the few connections that a Worker has.
  for (const type of ["A", "AAAA"] as const) addresses.push(...(await ask(resolverUrl, name, type)));
  return addresses;
}

async function ask(resolverUrl: string, name: string, type: keyof typeof TYPES): Promise<string[]> {
  const url = new URL(resolverUrl);
  url.searchParams.set("name", name);
  url.searchParams.set("type", type);
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), DNS_TIMEOUT_MS);
  try {
    const response = await fetch(url, { headers: { Accept: "application/dns-json" }, signal: controller.signal });
    const bytes = await readBytes(response.body, MAX_DNS_RESPONSE_BYTES);
    if (!response.ok) throw new Error(`the resolver answered ${response.status}`);
    const { Answer = [] } = JSON.parse(new TextDecoder().decode(bytes)) as DnsAnswer;
    return Answer.filter((record) => record.type === TYPES[type]).map((record) => String(record.data));
  } finally {
    clearTimeout(timer);
  }
}
