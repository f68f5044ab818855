import { DNS_TIMEOUT_MS, MAX_DNS_RESPONSE_BYTES } from "../limits.ts";
import { readLimited } from "./read-limited.ts";

/** Questions by DNS over HTTPS in the JSON form that Cloudflare and Google serve. */

const TYPES = { A: 1, CNAME: 5, TXT: 16, AAAA: 28 } as const;
type RecordType = keyof typeof TYPES;

const NO_ERROR = 0;
const NO_SUCH_NAME = 3;

interface DnsResponse {
  Status?: unknown;
  Answer: { type?: unknown; data?: unknown }[];
}

/**
 * The addresses of a name. The resolver follows CNAMEs. Empty where the name has none; throws where the resolver
 * does not answer.
 */
export async function resolveName(resolverUrl: string, name: string): Promise<string[]> {
  const addresses: string[] = [];
  // One after the other: an attempt is to take one of the few connections that a Worker has.
  for (const type of ["A", "AAAA"] as const) addresses.push(...ofType(await ask(resolverUrl, name, type), type));
  return addresses;
}

/** The name was not looked up: whether it has such records is not known. */
export class LookUpError extends Error {
  override name = "LookUpError";
}

/** The texts of a name's TXT records. Throws a {@link LookUpError} where that cannot be said. */
export async function findTexts(resolverUrl: string, name: string): Promise<string[]> {
  return ofType(await askSurely(resolverUrl, name, "TXT"), "TXT").map(textOf);
}

/** The names that a name is an alias of, lower-case and without a dot at the end. Throws like {@link findTexts}. */
export async function findAliases(resolverUrl: string, name: string): Promise<string[]> {
  return aliasesIn(await askSurely(resolverUrl, name, "CNAME"));
}

/** A name's addresses, and the aliases on the way to them. Throws like {@link findTexts}. */
export async function findAddresses(
  resolverUrl: string,
  name: string,
): Promise<{ addresses: string[]; aliases: string[] }> {
  const [v4, v6] = await Promise.all([askSurely(resolverUrl, name, "A"), askSurely(resolverUrl, name, "AAAA")]);
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

// One right after the other: whoever writes a record must not have the search begin anew at each of its quotes.
const CHARACTER_STRING = /\s*"((?:[^"\\]|\\.)*)"/gsy;
const ESCAPED = /\\(\d{3}|.)/gs;

/** A TXT record's text: its strings, each in quotes, one after the other. Google gives it without quotes. */
function textOf(data: string): string {
  if (!data.trimStart().startsWith('"')) return data.trim();
  return Array.from(data.matchAll(CHARACTER_STRING), ([, text = ""]) =>
    text.replaceAll(ESCAPED, (_, escaped: string) =>
      escaped.length === 3 ? String.fromCharCode(Number(escaped)) : escaped,
    ),
  ).join("");
}

async function askSurely(resolverUrl: string, name: string, type: RecordType): Promise<DnsResponse> {
  let status: unknown;
  try {
    const response = await ask(resolverUrl, name, type);
    status = response.Status;
    if (status === NO_ERROR || status === NO_SUCH_NAME) return response;
  } catch (error) {
    throw new LookUpError(`no answer for ${type} ${name}`, { cause: error });
  }
  throw new LookUpError(`status ${String(status)} for ${type} ${name}`);
}

async function ask(resolverUrl: string, name: string, type: RecordType): Promise<DnsResponse> {
  const url = new URL(resolverUrl);
  url.searchParams.set("name", name);
  url.searchParams.set("type", type);
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), DNS_TIMEOUT_MS);
  try {
    const response = await fetch(url, { headers: { Accept: "application/dns-json" }, signal: controller.signal });
    const bytes = await readLimited(response.body, MAX_DNS_RESPONSE_BYTES);
    if (!response.ok) throw new Error(`the resolver answered ${response.status}`);
    return readResponse(new TextDecoder().decode(bytes));
  } finally {
    clearTimeout(timer);
  }
}

/** Throws where it is not of the form: that a name has no records must be said, not missed. */
function readResponse(text: string): DnsResponse {
  const { Status, Answer } = JSON.parse(text) as { Status?: unknown; Answer?: unknown };
  const records: unknown = Answer ?? [];
  if (!Array.isArray(records) || records.some((record) => typeof record !== "object" || record === null))
    throw new Error("the resolver's answer is not of its form");
  return { Status, Answer: records as DnsResponse["Answer"] };
}
