import { memoize } from "../../lib/memoize.ts";
import { MAX_KNOWN_TEXTS } from "../../limits.ts";
import { readUserAgent } from "../../visitor/user-agent.ts";
import type { ClickBatch } from "../capture/message.ts";
import { clientPart, isBot } from "../profile.ts";
import { describeOrigin, describeTarget } from "./describe.ts";
import { hashVisitor } from "./visitor-hash.ts";

/** A click of a batch without its address and user agent: what a ClickLog stores of it. */
export interface EnrichedClick {
  /** Unix milliseconds. */
  at: number;
  linkId: string;
  /** The index of the click in its batch. */
  index: number;
  /** Equal for clicks of one visitor on one UTC day; 0: unknown. Unknown for crawlers and where the salt is deleted. */
  visitor: number;
  /** The parts of its profile. */
  origin: string;
  target: string;
  client: string;
}

/** `saltAt` returns the salt for a click at that time; null: it is deleted. */
export function enrichClicks(batch: ClickBatch, saltAt: (at: number) => Uint8Array | null): EnrichedClick[] {
  const origins = batch.origins.map(describeOrigin);
  const targets = batch.targets.map(([link, name, url]) => ({
    linkId: batch.links[link] ?? "",
    text: describeTarget(name, url),
  }));
  const { target, origin, ip, userAgent } = batch.clicks;
  return batch.clicks.at.map((at, index) => {
    const client = describeClient(userAgent[index] ?? "");
    const salt = isBot(client) ? null : saltAt(at);
    const served = targets[target[index] ?? 0];
    return {
      at,
      linkId: served?.linkId ?? "",
      index,
      visitor: salt === null ? 0 : hashVisitor(salt, ip[index] ?? "", userAgent[index] ?? ""),
      origin: origins[origin[index] ?? 0] ?? "",
      target: served?.text ?? "",
      client,
    };
  });
}

export type EnrichClicks = typeof enrichClicks;

const describeClient = memoize(MAX_KNOWN_TEXTS, (userAgent) => clientPart(readUserAgent(userAgent)));
