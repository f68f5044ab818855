import { DAY_MS } from "../../duration.ts";
import { memoize } from "../../lib/memoize.ts";
import { MAX_KNOWN_TEXTS } from "../../limits.ts";
import { readUserAgent } from "../../visitor/user-agent.ts";
import type { ClickBatch } from "../capture/message.ts";
import { clientPart, isBot } from "../profile.ts";
import { describeOrigin, describeTarget } from "./describe.ts";
import { SegmentBuilder, type LinkDaySegment } from "./encoding.ts";
import { hashVisitor } from "./visitor-hash.ts";

/**
 * The clicks of a batch as a ClickLog stores them: by link and day, and without addresses and user agents. `saltAt` returns
 * the salt for a click at that time; null: it is deleted.
 */
export function readBatch(batch: ClickBatch, saltAt: (at: number) => Uint8Array | null): LinkDaySegment[] {
  const { at: times, target, origin, ip, userAgent } = batch.clicks;
  const origins = batch.origins.map(describeOrigin);
  const targets = batch.targets.map(([, name, url]) => describeTarget(name, url));
  const linkDays = new Map<string, { link: string; day: number; builder: SegmentBuilder }>();
  for (const [index, at] of times.entries()) {
    const targetIndex = target[index] ?? 0;
    const link = batch.links[batch.targets[targetIndex]?.[0] ?? 0] ?? "";
    const day = Math.floor(at / DAY_MS);
    const key = `${day}/${link}`;
    let linkDay = linkDays.get(key);
    if (linkDay === undefined) {
      linkDay = { link, day, builder: new SegmentBuilder() };
      linkDay.builder.startBatch(batch.id);
      linkDays.set(key, linkDay);
    }
    const client = describeClient(userAgent[index] ?? "");
    const salt = isBot(client) ? null : saltAt(at);
    const visitor = salt === null ? 0 : hashVisitor(salt, ip[index] ?? "", userAgent[index] ?? "");
    const profile = [origins[origin[index] ?? 0] ?? "", targets[targetIndex] ?? "", client] as const;
    linkDay.builder.add(at - day * DAY_MS, index, visitor, [...profile]);
  }
  return [...linkDays.values()].map(({ link, day, builder }) => ({ link, day, segment: builder.toSegment() }));
}

export type ReadBatch = typeof readBatch;

const describeClient = memoize(MAX_KNOWN_TEXTS, (userAgent) => clientPart(readUserAgent(userAgent)));
