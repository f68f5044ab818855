import { describeError, log } from "../../../platform/lib/log.ts";
import { leaveBody, readLimited } from "../../../platform/lib/read-limited.ts";
import type { CanonicalUrl } from "../../../platform/lib/canonical-url.ts";
import type { Finding } from "../finding.ts";
import {
  MAX_PROVIDER_PAUSE_MS,
  MAX_PROVIDER_RESPONSE_BYTES,
  PROVIDER_FAILURES,
  PROVIDER_PAUSE_MS,
  PROVIDER_TIMEOUT_MS,
} from "../limits.ts";

/** A service that knows harmful destinations. */
export interface Provider {
  /** null: it finds nothing wrong. undefined: it says nothing, because it fails or is left alone after failures. */
  ask(url: CanonicalUrl, now: number): Promise<Finding | null | undefined>;
}

/** A provider that fails several times in a row is left alone for a while, which doubles with each further failure. */
export class Circuit {
  readonly #provider: string;
  #failures = 0;
  #pausedUntil = 0;

  constructor(provider: string) {
    this.#provider = provider;
  }

  isPaused(now: number): boolean {
    return now < this.#pausedUntil;
  }

  recordSuccess(): void {
    this.#failures = 0;
  }

  recordFailure(now: number, error: unknown): void {
    this.#failures++;
    const failure = { provider: this.#provider, failures: this.#failures };
    log("warn", "screening_provider_failed", { ...failure, ...describeError(error) });
    if (this.#failures < PROVIDER_FAILURES) return;
    const pause = PROVIDER_PAUSE_MS * 2 ** (this.#failures - PROVIDER_FAILURES);
    this.#pausedUntil = now + Math.min(pause, MAX_PROVIDER_PAUSE_MS);
  }
}

/** The JSON of a provider's answer. Throws if it does not answer in time, with another status than 200, or with too much. */
export async function fetchAnswer(url: URL, key: string): Promise<unknown> {
  // In a header, because logs have URLs.
  const headers = { "X-Goog-Api-Key": key };
  const response = await fetch(url, { headers, redirect: "manual", signal: AbortSignal.timeout(PROVIDER_TIMEOUT_MS) });
  if (response.status !== 200) {
    await leaveBody(response);
    throw new Error(`the provider answered ${response.status}`);
  }
  const body = await readLimited(response.body, MAX_PROVIDER_RESPONSE_BYTES + 1);
  if (body.byteLength > MAX_PROVIDER_RESPONSE_BYTES) throw new Error("the answer of the provider is too large");
  return JSON.parse(new TextDecoder().decode(body));
}
