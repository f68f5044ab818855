import { originOf } from "../../clicks/capture/click.ts";
import { fnv1a } from "../../lib/fnv1a.ts";
import { memoize } from "../../lib/memoize.ts";
import { MAX_ACCEPT_LANGUAGE_CHARS, MAX_KNOWN_TEXTS } from "../../limits.ts";
import { detectClient, type Client } from "../../visitor/client.ts";
import type { Visitor } from "./rules.ts";

/** What a request tells of its visitor. Each thing is read when a rule first asks for it. */
export class RequestVisitor implements Visitor {
  readonly #request: Request;
  #place: Partial<IncomingRequestCfProperties> | undefined;
  #client: Client | undefined;
  #language: string | undefined;
  #referrer: string | undefined;
  #mark: number | undefined;

  constructor(request: Request) {
    this.#request = request;
  }

  get country(): string {
    return this.#where.country ?? "";
  }

  get region(): string {
    const { country, regionCode } = this.#where;
    return country == null || regionCode == null ? "" : `${country}-${regionCode}`;
  }

  get language(): string {
    return (this.#language ??= readLanguage(this.#header("Accept-Language").slice(0, MAX_ACCEPT_LANGUAGE_CHARS)));
  }

  get device(): Client["device"] {
    return this.#program.device;
  }

  get os(): Client["os"] {
    return this.#program.os;
  }

  get referrer(): string {
    return (this.#referrer ??= readHost(originOf(this.#header("Referer"))));
  }

  get mark(): number {
    return (this.#mark ??=
      Math.imul(fnv1a(networkOf(this.#header("CF-Connecting-IP"))), 3) ^ this.#program.fingerprint);
  }

  get #where(): Partial<IncomingRequestCfProperties> {
    return (this.#place ??= this.#request.cf ?? {});
  }

  get #program(): Client {
    return (this.#client ??= detectClient(this.#header("User-Agent")));
  }

  #header(name: string): string {
    return this.#request.headers.get(name) ?? "";
  }
}

/** The most preferred language of an `Accept-Language`, in lower case; '' where none is named. */
const readLanguage = memoize(MAX_KNOWN_TEXTS, (accepted) => {
  const languages = accepted.split(",");
  // The last one may have been cut.
  if (accepted.length === MAX_ACCEPT_LANGUAGE_CHARS && languages.length > 1) languages.pop();
  let preferred = "";
  let most = 0;
  for (const language of languages) {
    const [, tag = "", weight = "1"] = LANGUAGE.exec(language) ?? [];
    if (tag === "" || Number(weight) <= most) continue;
    preferred = tag;
    most = Number(weight);
  }
  return canonicalLanguage(preferred);
});

const LANGUAGE = /^\s*([a-z]{2,8}(?:-[a-z0-9]{1,8})*)\s*(?:;\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*)?$/i;

function canonicalLanguage(tag: string): string {
  try {
    return tag === "" ? "" : (Intl.getCanonicalLocales(tag)[0] ?? tag).toLowerCase();
  } catch {
    return tag.toLowerCase();
  }
}

const readHost = memoize(MAX_KNOWN_TEXTS, (origin) => URL.parse(origin)?.hostname.toLowerCase() ?? "");

/** The address, or of an IPv6 address the /64: the rest of it changes every day. */
export function networkOf(address: string): string {
  if (!address.includes(":") || address.includes(".")) return address;
  const [before = "", after] = address.toLowerCase().split("::");
  const groups = before === "" ? [] : before.split(":");
  if (after !== undefined) {
    const rest = after === "" ? [] : after.split(":");
    while (groups.length + rest.length < 8) groups.push("0");
    groups.push(...rest);
  }
  return groups.slice(0, 4).join(":");
}
