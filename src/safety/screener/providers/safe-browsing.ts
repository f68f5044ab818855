import { ExpiringMap } from "../../../lib/expiring-map.ts";
import type { CanonicalUrl } from "../canonical-url.ts";
import type { Finding } from "../finding.ts";
import { ADVISORY_TTL_MS } from "../../limits.ts";
import { MAX_KEPT_ANSWERS, PROVIDER_ANSWER_TTL_MS } from "../limits.ts";
import { Circuit, fetchAnswer, type Provider } from "./provider.ts";
import { expressionsOf } from "./url-expressions.ts";
import { readSearchResponse, type FullHash } from "./search-response.ts";

const SEARCH_URL = "https://safebrowsing.googleapis.com/v5/hashes:search";
const PREFIX_BYTES = 4;

/** What is known of the hashes with a prefix. */
interface Kept {
  hashes: FullHash[];
  /** When it was asked for, Unix milliseconds. */
  askedAt: number;
}

interface Wanted {
  prefix: string;
  hash: string;
}

/**
 * Google Safe Browsing v5 in its real-time mode without a stored list ("No-Storage Real-Time Mode" of its documentation). It
 * learns prefixes of hashes, and no URL. What it says holds for 30 minutes, as its terms demand.
 */
export class SafeBrowsing implements Provider {
  readonly #key: string;
  readonly #kept = new ExpiringMap<Kept>(MAX_KEPT_ANSWERS);
  readonly #circuit = new Circuit("safe_browsing");

  constructor(key: string) {
    this.#key = key;
  }

  async ask(url: CanonicalUrl, now: number): Promise<Finding | null | undefined> {
    const wanted = await Promise.all(expressionsOf(url).map(toWanted));
    const known = new Map<string, Kept>();
    for (const { prefix } of wanted) {
      const kept = this.#kept.get(prefix, now);
      if (kept !== undefined) known.set(prefix, kept);
    }
    const missing = [...new Set(wanted.map(({ prefix }) => prefix))].filter((prefix) => !known.has(prefix));
    if (missing.length > 0) {
      const found = await this.#search(missing, now);
      if (found === null) return undefined;
      for (const [prefix, kept] of found) known.set(prefix, kept);
    }
    return worst(wanted, known);
  }

  /** null: it says nothing. */
  async #search(prefixes: readonly string[], now: number): Promise<Map<string, Kept> | null> {
    if (this.#circuit.isPaused(now)) return null;
    try {
      const url = new URL(SEARCH_URL);
      // It has no other form.
      url.searchParams.set("alt", "proto");
      for (const prefix of prefixes) url.searchParams.append("hashPrefixes", btoa(prefix));
      const { hashes, cacheMs } = readSearchResponse(await fetchAnswer(url, this.#key));
      this.#circuit.recordSuccess();
      const end = now + Math.min(cacheMs, PROVIDER_ANSWER_TTL_MS);
      return new Map(
        prefixes.map((prefix) => {
          const kept = { hashes: hashes.filter(({ hash }) => hash.startsWith(prefix)), askedAt: now };
          this.#kept.set(prefix, kept, end);
          return [prefix, kept];
        }),
      );
    } catch (error) {
      this.#circuit.recordFailure(now, error);
      return null;
    }
  }
}

/** The hash of an expression, one character a byte. */
async function toWanted(expression: string): Promise<Wanted> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(expression));
  const hash = String.fromCharCode(...new Uint8Array(digest));
  return { hash, prefix: hash.slice(0, PREFIX_BYTES) };
}

function worst(wanted: readonly Wanted[], known: ReadonlyMap<string, Kept>): Finding | null {
  const found = wanted.flatMap(({ prefix, hash }) => {
    const { hashes, askedAt } = known.get(prefix) as Kept;
    const reasons = hashes.filter((each) => each.hash === hash).flatMap((each) => each.reasons);
    return reasons.map((reason): Finding => ({
      verdict: "warn",
      reason,
      source: "safe_browsing",
      until: askedAt + ADVISORY_TTL_MS,
    }));
  });
  return found.find(({ reason }) => reason === "phishing") ?? found[0] ?? null;
}
