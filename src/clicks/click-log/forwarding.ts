import { DAY_MS } from "../../duration.ts";
import { readTarget, type ClickBatch } from "../capture/message.ts";
import { sharedLogName, isSharedLog, ownLogName } from "../click-log-name.ts";
import type { AnonymousLinks } from "./anonymous-links.ts";
import type { LinkDaySegment } from "./encoding.ts";
import type { Salts } from "./salts.ts";

// Calls between the ClickLogs that have the clicks of one link: a shared one, the link's own one, and that of the account
// that has claimed it.

/** Gives clicks to the ClickLogs that store them. Throws if one of them fails. Each of them stores a click once. */
export async function forwardClicks(
  logs: Env["CLICK_LOG"],
  segments: readonly LinkDaySegment[],
  anonymous: AnonymousLinks,
): Promise<void> {
  const byLink = Map.groupBy(segments, ({ link }) => link);
  await Promise.all(
    [...byLink].map(async ([link, clicks]) => {
      const name = anonymous.logOf(link);
      if (name !== undefined) await logs.getByName(name).storeForwarded(clicks, name === ownLogName(link));
    }),
  );
}

/**
 * Gives the own ClickLog of a link the salts of the shared one, before it stores these batches. So a visitor whose clicks are in
 * both counts once. A shared ClickLog has its own salts.
 */
export async function takeSharedSalts(
  logs: Env["CLICK_LOG"],
  batches: readonly ClickBatch[],
  salts: Salts,
  now: number,
): Promise<void> {
  const link = readTarget(batches[0]?.targets[0] ?? "").linkId;
  if (batches.every(({ log }) => isSharedLog(log))) return;
  const days = new Set(batches.flatMap(({ clicks: { at } }) => at.map((time) => Math.floor(time / DAY_MS))));
  for (const day of days) {
    if (!salts.isMissing(day, now)) continue;
    const salt = await logs.getByName(sharedLogName(link)).saltOf(day);
    if (salt !== null) salts.put(day, salt);
  }
}
