import { DnsLookupError, resolveName } from "../../../platform/lib/dns.ts";
import { ExpiringMap } from "../../../platform/lib/expiring-map.ts";
import { MAX_HOST_CHARS, MAX_HOST_LABEL_CHARS } from "../../../limits.ts";
import { isAddress, type CanonicalUrl } from "../../../platform/lib/canonical-url.ts";
import type { Finding } from "../finding.ts";
import { MAX_KEPT_ANSWERS, PROVIDER_ANSWER_TTL_MS } from "../limits.ts";
import { Circuit, type Provider } from "./provider.ts";

const BLOCKED = new Set(["0.0.0.0", "::"]);
const FINDING: Finding = { verdict: "warn", reason: "malware", source: "resolver" };

/**
 * A resolver that blocks names of phishing and malware, such as security.cloudflare-dns.com: it answers with an address of
 * zeros. A name that has such an address at the other resolver too, or that does not exist, is not blocked. It speaks of whole
 * hosts, so it only warns.
 */
export class BlockingResolver implements Provider {
  readonly #url: string;
  readonly #otherUrl: string;
  readonly #answers = new ExpiringMap<{ finding: Finding | null }>(MAX_KEPT_ANSWERS);
  readonly #circuit = new Circuit("resolver");

  constructor(url: string, otherUrl: string) {
    this.#url = url;
    this.#otherUrl = otherUrl;
  }

  /** undefined also if it could not resolve the name. */
  async ask({ host }: Pick<CanonicalUrl, "host">, now: number): Promise<Finding | null | undefined> {
    if (isAddress(host) || !canExist(host)) return null;
    const kept = this.#answers.get(host, now);
    if (kept !== undefined) return kept.finding;
    if (this.#circuit.isPaused(now)) return undefined;
    try {
      const isBlocked = (await isZero(this.#url, host)) && !(await isZero(this.#otherUrl, host));
      const finding = isBlocked ? FINDING : null;
      this.#circuit.recordSuccess();
      this.#answers.set(host, { finding }, now + PROVIDER_ANSWER_TTL_MS);
      return finding;
    } catch (error) {
      if (!(error instanceof DnsLookupError)) throw error;
      // Without a cause the resolver did respond: it could not resolve this name, which says nothing of others.
      if (error.cause !== undefined) this.#circuit.recordFailure(now, error);
      return undefined;
    }
  }
}

/** Whether the DNS can have the name (RFC 1035, section 2.3.4). A resolver refuses another one, which says nothing of the resolver. */
function canExist(host: string): boolean {
  return host.length <= MAX_HOST_CHARS && host.split(".").every((label) => label.length <= MAX_HOST_LABEL_CHARS);
}

async function isZero(resolverUrl: string, host: string): Promise<boolean> {
  const addresses = await resolveName(resolverUrl, host);
  return addresses.length > 0 && addresses.every((address) => BLOCKED.has(address));
}
