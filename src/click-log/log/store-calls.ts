import { DAY_MS } from "../../limits.ts";
import type { LinkDaySegment } from "./encoding.ts";
import type { AnonymousLinks } from "./anonymous-links.ts";
import type { Counters } from "./counters.ts";
import type { PendingEvents, Recipients } from "./pending-events.ts";
import type { Incoming } from "./read-batch.ts";
import { deleteSummaries } from "./rows.ts";
import type { Salts } from "./salts.ts";
import type { ClickWriter } from "./writer.ts";

/** Clicks that a call wants to be stored. `recipients` is null if no webhook subscribes to clicks. */
export interface Call {
  incoming: readonly Incoming[];
  recipients: Recipients | null;
}

export interface Stored {
  /** What was not stored before. */
  stored: LinkDaySegment[];
  /** What other ClickLogs must store. */
  moved: LinkDaySegment[];
}

interface WritingParts {
  anonymous: AnonymousLinks;
  pending: PendingEvents;
  memory: { salts: Salts; writer: ClickWriter; counters: Counters };
}

/** Stores the clicks of the calls, with their pending events. Runs in a transaction. */
export function storeCalls(
  sql: SqlStorage,
  calls: readonly Call[],
  parts: WritingParts,
  deletedLinks: ReadonlySet<string>,
  now: number,
): Stored[] {
  const { writer, counters } = parts.memory;
  const results = calls.map((call) => addCall(call, parts, deletedLinks, now));
  const segments = writer.write(now);
  counters.add(segments);
  const today = Math.floor(now / DAY_MS);
  for (const { day, link } of segments) if (day < today) deleteSummaries(sql, link, day);
  return results;
}

/** Adds the clicks of a call to what the writer writes next. */
function addCall(
  { incoming, recipients }: Call,
  { anonymous, pending, memory: { salts, writer } }: WritingParts,
  deletedLinks: ReadonlySet<string>,
  now: number,
): Stored {
  const stored: LinkDaySegment[] = [];
  const moved: LinkDaySegment[] = [];
  for (const { batchId, read } of incoming) {
    const [here, elsewhere] = anonymous.split(read((at) => salts.get(at, now)));
    // Clicks that were stored here before their link moved are moved by a claim.
    moved.push(...elsewhere.filter((segment) => !deletedLinks.has(segment.link) && !writer.has(segment)));
    const added = here.filter((segment) => writer.add(segment, deletedLinks, now));
    stored.push(...added);
    if (recipients !== null) pending.enqueue(batchId, added, recipients, now);
  }
  return { stored, moved };
}
