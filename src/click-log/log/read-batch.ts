import { hkdfSync } from "node:crypto";
import { DAY_MS, MAX_KNOWN_TEXTS } from "../../limits.ts";
import { memoize } from "../../platform/lib/memoize.ts";
import { readUserAgent } from "../../platform/visitor/user-agent.ts";
import { readTarget, type ClickBatch } from "../capture/message.ts";
import { clientPart, isBot } from "../profile.ts";
import { describeOrigin, describeTarget } from "./describe.ts";
import { SegmentBuilder, type LinkDaySegment } from "./encoding.ts";

/**
 * The clicks of a batch as a ClickLog stores them: by link and day, and without addresses and user agents. `saltAt` returns
 * the salt for a click at that time; null: it is deleted.
 */
function readBatch(batch: ClickBatch, saltAt: (at: number) => Uint8Array | null): LinkDaySegment[] {
  const { at: times, target, origin, ip, userAgent } = batch.clicks;
  const origins = batch.origins.map(describeOrigin);
  const targets = batch.targets.map(readTarget).map((read) => ({ link: read.linkId, text: describeTarget(read) }));
  const linkDays = new Map<string, LinkDayBuilder>();
  let linkDay: LinkDayBuilder | undefined;
  for (const [index, at] of times.entries()) {
    const { link = "", text = "" } = targets[target[index] ?? 0] ?? {};
    const day = Math.floor(at / DAY_MS);
    if (linkDay?.link !== link || linkDay.day !== day) linkDay = builderFor(linkDays, link, day, batch.id);
    const client = describeClient(userAgent[index] ?? "");
    const address = ip[index] ?? null;
    const salt = address === null || isBot(client) ? null : saltAt(at);
    const visitor = salt === null ? 0 : hashVisitor(salt, address ?? "", userAgent[index] ?? "");
    linkDay.builder.add(at - day * DAY_MS, index, visitor, origins[origin[index] ?? 0] ?? "", text, client);
  }
  return [...linkDays.values()].map(({ link, day, builder }) => ({ link, day, segment: builder.toSegment() }));
}

interface LinkDayBuilder extends Pick<LinkDaySegment, "link" | "day"> {
  builder: SegmentBuilder;
}

function builderFor(linkDays: Map<string, LinkDayBuilder>, link: string, day: number, batchId: string): LinkDayBuilder {
  const key = `${day}/${link}`;
  const known = linkDays.get(key);
  if (known !== undefined) return known;
  const linkDay = { link, day, builder: new SegmentBuilder() };
  linkDay.builder.startBatch(batchId);
  linkDays.set(key, linkDay);
  return linkDay;
}

/** Clicks that a ClickLog is to store. They are read in the transaction that stores them, because reading may make a salt. */
export interface Incoming {
  batchId: string;
  read: (saltAt: (at: number) => Uint8Array | null) => LinkDaySegment[];
}

export function toIncoming(batch: ClickBatch): Incoming {
  return { batchId: batch.id, read: (saltAt) => readBatch(batch, saltAt) };
}

const describeClient = memoize(MAX_KNOWN_TEXTS, (userAgent) => clientPart(readUserAgent(userAgent)));

const HASH_BYTES = 8;
const HASH_BITS = 53;

/**
 * Turns a visitor into a positive number of 53 bits, which cannot be reversed once the salt is deleted. Under one salt,
 * equal visitors have equal numbers. It is HKDF (RFC 5869), which takes half the CPU of `createHmac`.
 */
function hashVisitor(salt: Uint8Array, ip: string, userAgent: string): number {
  const bytes = hkdfSync("sha256", `${ip}\n${userAgent}`, salt, "", HASH_BYTES);
  return Number(BigInt.asUintN(HASH_BITS, new DataView(bytes).getBigUint64(0))) || 1;
}
