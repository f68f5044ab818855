import { canonicalize, formatUrl } from "../../../platform/lib/canonical-url.ts";
import type { Finding } from "../finding.ts";
import { JUDGEMENT_TIMEOUT_MS, MAX_ASKED_URLS } from "../limits.ts";
import type { Provider } from "./provider.ts";

/** The providers during one call of the Screener: they are asked once about a URL, and not forever. */
export class Panel {
  readonly #providers: readonly Provider[];
  readonly #now: number;
  readonly #asked = new Map<string, Promise<Finding | null | undefined>>();
  // The caller waits no longer, and would have nothing of what was found by then.
  readonly #end = Date.now() + JUDGEMENT_TIMEOUT_MS / 2;

  constructor(providers: readonly Provider[], now: number) {
    this.#providers = providers;
    this.#now = now;
  }

  /** What the providers say of a URL and the URLs in it. undefined: one of them said nothing, and the others found nothing. */
  async ask(urls: readonly string[]): Promise<Finding | null | undefined> {
    let isKnown = true;
    for (const url of urls) {
      const finding = await this.#askOnce(url);
      if (finding != null) return finding;
      if (finding === undefined) isKnown = false;
    }
    return isKnown ? null : undefined;
  }

  async #askOnce(text: string): Promise<Finding | null | undefined> {
    const url = this.#providers.length === 0 ? null : canonicalize(text);
    if (url === null) return null;
    const key = formatUrl(url);
    const earlier = this.#asked.get(key);
    if (earlier !== undefined) return earlier;
    if (this.#asked.size >= MAX_ASKED_URLS || Date.now() >= this.#end) return undefined;
    const asking = this.#askAll(url);
    this.#asked.set(key, asking);
    return asking;
  }

  async #askAll(url: NonNullable<ReturnType<typeof canonicalize>>): Promise<Finding | null | undefined> {
    const findings = await Promise.all(this.#providers.map((provider) => provider.ask(url, this.#now)));
    const found = findings.find((finding) => finding != null);
    return found ?? (findings.includes(undefined) ? undefined : null);
  }
}
