import { DnsLookupError, resolveName } from "../../../lib/dns.ts";
import { ExpiringMap } from "../../../lib/expiring-map.ts";
import { describeError, log } from "../../../lib/log.ts";
import { isAddress } from "../canonical-url.ts";
import type { Finding } from "../finding.ts";
import {
  MAX_KEPT_ANSWERS,
  MAX_PROVIDER_PAUSE_MS,
  PROVIDER_FAILURES,
  PROVIDER_PAUSE_MS,
  RESOLVER_ANSWER_TTL_MS,
} from "../limits.ts";

const BLOCKED = new Set(["0.0.0.0", "::"]);
const FINDING: Finding = { verdict: "warn", reason: "malware", source: "resolver" };

/**
 * A resolver that blocks names of phishing and malware, such as security.cloudflare-dns.com: it answers with an address of
 * zeros. A name that has such an address at the other resolver too, or that does not exist, is not blocked. It speaks of whole
 * hosts, so it only warns. After failures in a row it is left alone for a while.
 */
export class BlockingResolver {
  readonly #url: string;
  readonly #otherUrl: string;
  readonly #answers = new ExpiringMap<{ finding: Finding | null }>(MAX_KEPT_ANSWERS);
  #failures = 0;
  #pausedUntil = 0;

  constructor(url: string, otherUrl: string) {
    this.#url = url;
    this.#otherUrl = otherUrl;
  }

  /** undefined: the resolver does not respond, or could not resolve the name. */
  async ask(host: string, now: number): Promise<Finding | null | undefined> {
    if (isAddress(host)) return null;
    const kept = this.#answers.get(host, now);
    if (kept !== undefined) return kept.finding;
    if (now < this.#pausedUntil) return undefined;
    try {
      const isBlocked = (await isZero(this.#url, host)) && !(await isZero(this.#otherUrl, host));
      const finding = isBlocked ? FINDING : null;
      this.#failures = 0;
      this.#answers.set(host, { finding }, now + RESOLVER_ANSWER_TTL_MS);
      return finding;
    } catch (error) {
      if (!(error instanceof DnsLookupError)) throw error;
      // Without a cause the resolver did respond: it could not resolve this name, which says nothing of others.
      if (error.cause !== undefined) this.#recordFailure(now, error);
      return undefined;
    }
  }

  #recordFailure(now: number, error: DnsLookupError): void {
    this.#failures++;
    log("warn", "screening_provider_failed", {
      provider: "resolver",
      failures: this.#failures,
      ...describeError(error),
    });
    if (this.#failures < PROVIDER_FAILURES) return;
    const pause = PROVIDER_PAUSE_MS * 2 ** (this.#failures - PROVIDER_FAILURES);
    this.#pausedUntil = now + Math.min(pause, MAX_PROVIDER_PAUSE_MS);
  }
}

async function isZero(resolverUrl: string, host: string): Promise<boolean> {
  const addresses = await resolveName(resolverUrl, host);
  return addresses.length > 0 && addresses.every((address) => BLOCKED.has(address));
}
