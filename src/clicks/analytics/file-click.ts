import type { AccountContext } from "../../platform/context.ts";
import { findShortUrls } from "../../links/store/selected-links.ts";
import type { ClickRecord } from "../../click-log/click-record.ts";
import { MAX_KNOWN_SHORT_URLS } from "./limits.ts";

/** A click as files have it. */
export interface FileClick extends ClickRecord {
  /** That of the link now; null once it is deleted. */
  shortUrl: string | null;
}

/** Adds the short URLs of their links to pages of clicks. A link is looked up once for many clicks. */
export class ShortUrls {
  readonly #context: Pick<AccountContext, "db" | "baseUrl">;
  readonly #known = new Map<string, string | null>();

  constructor(context: Pick<AccountContext, "db" | "baseUrl">) {
    this.#context = context;
  }

  async addTo(clicks: readonly ClickRecord[]): Promise<FileClick[]> {
    const { db, baseUrl } = this.#context;
    if (this.#known.size > MAX_KNOWN_SHORT_URLS) this.#known.clear();
    const unknown = [...new Set(clicks.map(({ linkId }) => linkId))].filter((id) => !this.#known.has(id));
    const found = await findShortUrls(db, unknown, new URL(baseUrl).origin);
    for (const id of unknown) this.#known.set(id, found.get(id) ?? null);
    return clicks.map((click) => ({ ...click, shortUrl: this.#known.get(click.linkId) ?? null }));
  }
}
