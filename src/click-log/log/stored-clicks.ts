import { DAY_MS } from "../../limits.ts";
import { clickId } from "../click-id.ts";
import type { StoredClick } from "../click-record.ts";
import { joinProfile } from "../profile.ts";
import type { LinkDaySegment, SegmentClick } from "./encoding.ts";
import { SegmentCounts, type PartMatchers } from "./segment-counts.ts";

// Reads single clicks from segments. Pure.

const ALL: PartMatchers = { origin: null, target: null, client: null };

/** The clicks of a segment that pass the filters, without those of crawlers. */
export function countedClicks({ segment }: LinkDaySegment, matchers = ALL): SegmentClick[] {
  const [, origins, targets, clients, clicks] = segment;
  const counts = new SegmentCounts([origins, targets, clients], matchers);
  return clicks.filter(
    ([, , , , origin, target, client]) => !counts.isBot(client) && counts.matches(origin, target, client),
  );
}

/** A click of the segment. */
export function toStoredClick({ link, day, segment }: LinkDaySegment, click: SegmentClick): StoredClick {
  const [batchIds, origins, targets, clients] = segment;
  const [at, batch, index, , origin, target, client] = click;
  const clickedAt = day * DAY_MS + at;
  return {
    id: clickId(clickedAt, batchIds[batch] ?? "", index),
    linkId: link,
    clickedAt,
    profile: joinProfile(origins[origin] ?? "", targets[target] ?? "", clients[client] ?? ""),
  };
}
