import type { EventBatch, EventClick } from "./types.ts";
import { splitProfile } from "./profile.ts";
import type { Line } from "./click-log/encoding.ts";
import type { ClickBatch } from "./capture/message.ts";

// What version 0.1.0 wrote at first: messages that are in the queue when this version comes, and what ClickLogs have stored.
// The ids of its batches were UUIDs.

interface FormerBatch extends Pick<ClickBatch, "id" | "log" | "accountId"> {
  /** Five lines for each: Unix milliseconds, link, address, user agent, origin. */
  visits: string;
}

const LINES_PER_VISIT = 5;
const UNIX_MS = /^\d{1,15}$/;

export function fromFormerBatch(value: unknown): unknown {
  const { visits, ...batch } = (value ?? {}) as FormerBatch;
  if (typeof visits !== "string" || typeof batch.id !== "string") return value;
  const lines = visits.split("\n");
  const times = lines.filter((_, line) => line % LINES_PER_VISIT === 0);
  if (lines.length % LINES_PER_VISIT !== 0 || !times.every((time) => UNIX_MS.test(time))) return value;
  const since = Number(times[0]);
  const numbers = times.flatMap((time, visit) => {
    const first = visit * LINES_PER_VISIT;
    return [Number(time) - since, first + 1, first + 2, first + 3, first + 4];
  });
  const texts = new TextEncoder().encode(visits);
  return { ...batch, id: shortId(batch.id), since, texts, visits: new Int32Array(numbers) } satisfies ClickBatch;
}

export type FormerLine = [
  batchId: string,
  clicks: [at: number, index: number, visitor: number, unique: number, profile: string][],
];

export function fromFormerLine([batchId, clicks]: FormerLine): Line {
  const profiles = clicks.map(([, , , , profile]) => splitProfile(profile));
  return [
    [shortId(batchId)],
    profiles.map(({ origin }) => origin),
    profiles.map(({ client }) => client),
    clicks.flatMap(([at, index, visitor, unique], place) => [at, 0, index, visitor, unique, place, place]),
  ];
}

/** With nothing about the visitor in fourth place. */
type FormerToldClick = [at: number, linkId: string, index: number, visitor: string, profile: string];

export function fromFormerTold(id: string, clicks: readonly (EventClick | FormerToldClick)[]): EventBatch {
  return {
    id: shortId(id),
    clicks: clicks.map(([at, linkId, index, ...rest]) => [at, linkId, index, rest.at(-1) ?? ""]),
  };
}

/** The digits of a UUID that are in the ids of its batch's clicks; of an id of this version all. */
function shortId(id: string): string {
  const digits = id.replaceAll("-", "");
  return digits.length === 32 ? digits.slice(0, 6) + digits.slice(16, 24) : digits;
}
