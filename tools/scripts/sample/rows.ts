import { ClickMessageBuilder } from "../../../src/click-log/capture/message.ts";
import type { CapturedClick } from "../../../src/click-log/capture/click.ts";
import { MAX_CLICKS_PER_MESSAGE } from "../../../src/click-log/limits.ts";
import type { BackedUpRow } from "../../../src/click-log/log/backup.ts";
import { toIncoming } from "../../../src/click-log/log/read-batch.ts";
import { LEVEL, toNewSegments } from "../../../src/click-log/log/rows.ts";
import { visitsOf, type Visited } from "./visits.ts";

/** Returns the rows in which a ClickLog has the visits of a link. */
export function toRows(link: Visited, accountId: number, now: number): BackedUpRow[] {
  return [...visitsOf(link, accountId, now)].flatMap(([day, clicks]) => {
    // A ClickLog has a random salt for each day too.
    const salt = crypto.getRandomValues(new Uint8Array(32));
    const parts = Math.ceil(clicks.length / MAX_CLICKS_PER_MESSAGE);
    return Array.from({ length: parts }, (_, part) => {
      const some = clicks.slice(part * MAX_CLICKS_PER_MESSAGE, (part + 1) * MAX_CLICKS_PER_MESSAGE);
      return toRow(link.id, day, part, some, salt);
    });
  });
}

function toRow(link: string, day: number, part: number, clicks: CapturedClick[], salt: Uint8Array): BackedUpRow {
  const builder = new ClickMessageBuilder();
  for (const click of clicks) builder.add(click);
  const segments = builder.toMessage().batches.flatMap((batch) => toIncoming(batch).read(() => salt));
  const added = toNewSegments(
    day,
    link,
    part,
    segments.map(({ segment }) => segment),
  );
  return {
    day,
    link,
    part,
    level: LEVEL.clicks,
    clicks: added.clicks,
    first_at: added.firstAt,
    last_at: added.lastAt,
    last_click_at: added.lastClickAt,
    batches: "",
    visitors: "",
    segments: added.json,
  };
}
