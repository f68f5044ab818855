import { originOf } from "../../click-log/capture/click.ts";
import { fnv1a } from "../../platform/lib/fnv1a.ts";
import { networkOf } from "../../platform/lib/ip-network.ts";
import { memoize } from "../../platform/lib/memoize.ts";
import { MAX_ACCEPT_LANGUAGE_CHARS, MAX_KNOWN_TEXTS } from "../../limits.ts";
import { detectBrowser, type Browser } from "../../platform/visitor/browser.ts";
import type { Visitor } from "./rules.ts";

/** The visitor behind a request. Each property is computed when a rule first needs it. */
export class RequestVisitor implements Visitor {
  readonly #request: Request;
  #location: Partial<IncomingRequestCfProperties> | undefined;
  #browser: Browser | undefined;
  #language: string | undefined;
  #referrer: string | undefined;
  #fingerprint: number | undefined;

  constructor(request: Request) {
    this.#request = request;
  }

  get country(): string {
    return this.#cf.country ?? "";
  }

  get region(): string {
    const { country, regionCode } = this.#cf;
    return country == null || regionCode == null ? "" : `${country}-${regionCode}`;
  }

  get language(): string {
    return (this.#language ??= preferredLanguage(this.#header("Accept-Language").slice(0, MAX_ACCEPT_LANGUAGE_CHARS)));
  }

  get device(): Browser["device"] {
    return this.#userAgent.device;
  }

  get os(): Browser["os"] {
    return this.#userAgent.os;
  }

  get referrer(): string {
    return (this.#referrer ??= hostOf(originOf(this.#header("Referer"))));
  }

  get fingerprint(): number {
    return (this.#fingerprint ??=
      Math.imul(fnv1a(networkOf(this.#header("CF-Connecting-IP"))), 3) ^ this.#userAgent.fingerprint);
  }

  get #cf(): Partial<IncomingRequestCfProperties> {
    return (this.#location ??= this.#request.cf ?? {});
  }

  get #userAgent(): Browser {
    return (this.#browser ??= detectBrowser(this.#header("User-Agent")));
  }

  #header(name: string): string {
    return this.#request.headers.get(name) ?? "";
  }
}

/** The most preferred language of an `Accept-Language` header in lower case, or '' if it names none. */
const preferredLanguage = memoize(MAX_KNOWN_TEXTS, (accepted) => {
  const languages = accepted.split(",");
  // The last one may be cut off.
  if (accepted.length === MAX_ACCEPT_LANGUAGE_CHARS && languages.length > 1) languages.pop();
  let preferred = "";
  let highest = 0;
  for (const language of languages) {
    const [, tag = "", weight = "1"] = LANGUAGE.exec(language) ?? [];
    if (tag === "" || Number(weight) <= highest) continue;
    preferred = tag;
    highest = Number(weight);
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

const hostOf = memoize(MAX_KNOWN_TEXTS, (origin) => URL.parse(origin)?.hostname.toLowerCase().replace(/\.$/, "") ?? "");
