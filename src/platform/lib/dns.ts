import { DNS_TIMEOUT_MS, MAX_DNS_RESPONSE_BYTES } from "../../limits.ts";
import { readLimited } from "./read-limited.ts";

// DNS over HTTPS in the JSON format of Cloudflare and Google.

const TYPES = { A: 1, CNAME: 5, TXT: 16, AAAA: 28 } as const;
type RecordType = keyof typeof TYPES;

const NO_ERROR = 0;
const NXDOMAIN = 3;

interface DnsResponse {
  Status?: unknown;
  Answer: { type?: unknown; data?: unknown }[];
}

/**
 * The addresses of a name, after CNAMEs; empty if it has none. Throws a {@link DnsLookupError} if the lookup of either
 * family fails: the addresses of the other one are not all addresses that a connection may use.
 */
export async function resolveName(resolverUrl: string, name: string): Promise<string[]> {
  const addresses: string[] = [];
  // Sequential, because a Worker invocation has only six connections.
  for (const type of ["A", "AAAA"] as const) addresses.push(...ofType(await query(resolverUrl, name, type), type));
  return addresses;
}

/** The lookup failed, so the records are unknown. */
export class DnsLookupError extends Error {
  override name = "DnsLookupError";
}

/** The texts of a name's TXT records. Throws a {@link DnsLookupError} if the lookup fails. */
export async function findTexts(resolverUrl: string, name: string): Promise<string[]> {
  return ofType(await query(resolverUrl, name, "TXT"), "TXT").map(textOf);
}

/** The targets of a name's CNAMEs, in lower case and without a trailing dot. Throws a {@link DnsLookupError}. */
export async function findAliases(resolverUrl: string, name: string): Promise<string[]> {
  return aliasesIn(await query(resolverUrl, name, "CNAME"));
}

/** A name's addresses and the CNAME targets before them. Throws a {@link DnsLookupError}. */
export async function findAddresses(
  resolverUrl: string,
  name: string,
): Promise<{ addresses: string[]; aliases: string[] }> {
  const [v4, v6] = await Promise.all([query(resolverUrl, name, "A"), query(resolverUrl, name, "AAAA")]);
  return {
    addresses: [...ofType(v4, "A"), ...ofType(v6, "AAAA")],
    aliases: [...aliasesIn(v4), ...aliasesIn(v6)],
  };
}

function ofType({ Answer }: DnsResponse, type: RecordType): string[] {
  return Answer.filter((record) => record.type === TYPES[type]).map((record) => String(record.data));
}

function aliasesIn(response: DnsResponse): string[] {
  return ofType(response, "CNAME").map((name) => name.toLowerCase().replace(/\.$/, ""));
}

// Sticky: without it, matching a hostile record would take quadratic time.
const CHARACTER_STRING = /\s*"((?:[^"\\]|\\.)*)"/gsy;
const ESCAPED = /\\(\d{3}|.)/gs;

/** The text of a TXT record: its quoted strings, concatenated. Google returns a single string without quotes. */
function textOf(data: string): string {
  if (!data.trimStart().startsWith('"')) return data.trim();
  return Array.from(data.matchAll(CHARACTER_STRING), ([, text = ""]) =>
    text.replaceAll(ESCAPED, (_, escaped: string) =>
      escaped.length === 3 ? String.fromCharCode(Number(escaped)) : escaped,
    ),
  ).join("");
}

/** Throws a {@link DnsLookupError} unless the resolver says which records there are: NOERROR or NXDOMAIN (RFC 8499, 3). */
async function query(resolverUrl: string, name: string, type: RecordType): Promise<DnsResponse> {
  let status: unknown;
  try {
    const response = await fetchResponse(resolverUrl, name, type);
    status = response.Status;
    if (status === NO_ERROR || status === NXDOMAIN) return response;
  } catch (error) {
    throw new DnsLookupError(`no response for ${type} ${name}`, { cause: error });
  }
  throw new DnsLookupError(`status ${String(status)} for ${type} ${name}`);
}

async function fetchResponse(resolverUrl: string, name: string, type: RecordType): Promise<DnsResponse> {
  const url = new URL(resolverUrl);
  url.searchParams.set("name", name);
  url.searchParams.set("type", type);
  const signal = AbortSignal.timeout(DNS_TIMEOUT_MS);
  const headers = { Accept: "application/dns-json" };
  const response = await fetch(url, { headers, redirect: "manual", signal });
  const bytes = await readLimited(response.body, MAX_DNS_RESPONSE_BYTES);
  if (!response.ok) throw new Error(`the resolver responded with status ${response.status}`);
  return parseResponse(new TextDecoder().decode(bytes));
}

/** Throws if the format is wrong: a malformed response must not pass for a name without records. */
function parseResponse(text: string): DnsResponse {
  const { Status, TC, Answer } = JSON.parse(text) as { Status?: unknown; TC?: unknown; Answer?: unknown };
  if (TC === true) throw new Error("the resolver's response is truncated");
  const records: unknown = Answer ?? [];
  if (!Array.isArray(records) || records.some((record) => typeof record !== "object" || record === null))
    throw new Error("the resolver's response is malformed");
  return { Status, Answer: records as DnsResponse["Answer"] };
}
