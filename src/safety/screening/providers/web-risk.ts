import { ExpiringMap } from "../../../platform/lib/expiring-map.ts";
import { formatUrl, type CanonicalUrl } from "../../../platform/lib/canonical-url.ts";
import type { Finding } from "../finding.ts";
import { ADVISORY_TTL_MS } from "../../../redirect/limits.ts";
import { MAX_KEPT_ANSWERS, MAX_WEB_RISK_URI_CHARS, PROVIDER_ANSWER_TTL_MS } from "../limits.ts";
import { Circuit, fetchAnswer, type Provider } from "./provider.ts";

const SEARCH_URL = "https://webrisk.googleapis.com/v1/uris:search";
/** The lists that are asked for, by what is wrong with a URL on them. The first one that has it counts. */
const REASONS = { SOCIAL_ENGINEERING: "phishing", MALWARE: "malware", UNWANTED_SOFTWARE: "malware" } as const;

interface Answer {
  threat?: { threatTypes?: unknown; expireTime?: unknown };
}

/**
 * Google Web Risk, by its Lookup API (`uris.search`): one request a URL, of which it learns. A match is not kept, because it may
 * only be kept until its `expireTime`, and is asked for again before that.
 */
export class WebRisk implements Provider {
  readonly #key: string;
  readonly #clean = new ExpiringMap<true>(MAX_KEPT_ANSWERS);
  readonly #circuit = new Circuit("web_risk");

  constructor(key: string) {
    this.#key = key;
  }

  async ask(canonical: CanonicalUrl, now: number): Promise<Finding | null | undefined> {
    const uri = formatUrl(canonical);
    // Google would refuse the question, which says nothing of the provider.
    if (encodeURIComponent(uri).length > MAX_WEB_RISK_URI_CHARS) return undefined;
    if (this.#clean.get(uri, now) !== undefined) return null;
    if (this.#circuit.isPaused(now)) return undefined;
    try {
      const finding = await this.#search(uri, now);
      this.#circuit.recordSuccess();
      if (finding === null) this.#clean.set(uri, true, now + PROVIDER_ANSWER_TTL_MS);
      return finding;
    } catch (error) {
      this.#circuit.recordFailure(now, error);
      return undefined;
    }
  }

  async #search(uri: string, now: number): Promise<Finding | null> {
    const url = new URL(SEARCH_URL);
    for (const type of Object.keys(REASONS)) url.searchParams.append("threatTypes", type);
    url.searchParams.set("uri", uri);
    const { threat } = (await fetchAnswer(url, this.#key)) as Answer;
    if (threat === undefined) return null;
    const { threatTypes, expireTime } = threat;
    const end = Date.parse(String(expireTime));
    if (!Array.isArray(threatTypes) || Number.isNaN(end))
      throw new Error("the answer of the provider has another form");
    const type = (Object.keys(REASONS) as (keyof typeof REASONS)[]).find((name) => threatTypes.includes(name));
    if (type === undefined || end <= now) return null;
    return { verdict: "warn", reason: REASONS[type], source: "web_risk", until: Math.min(end, now + ADVISORY_TTL_MS) };
  }
}
