import { joinProfile } from "./profile.ts";

/** A {@link import("./capture/message.ts").VisitBatch} with its user agents and origins read. */
export interface EnrichedBatch {
  /** What was taken in under it is not taken in again. */
  id: string;
  clicks: EnrichedClick[];
}

export interface EnrichedClick {
  /** Unix milliseconds. */
  at: number;
  linkId: string;
  /** The place in the batch, which tells its clicks apart. */
  index: number;
  /** Only a salted hash of it and of the client's fingerprint is stored. */
  ip: string;
  /** The part of its profile that tells where it came from. */
  origin: string;
  client: Client;
}

export interface Client {
  /** Of the profile. */
  part: string;
  bot: boolean;
  /** Tells user agents apart: 53 bits. */
  fingerprint: number;
}

/** What webhooks are told of a batch: nothing of who the visitors were. */
export interface EventBatch {
  id: string;
  clicks: EventClick[];
}

export type EventClick = [at: number, linkId: string, index: number, profile: string];

export function toEventBatch({ id, clicks }: EnrichedBatch): EventBatch {
  return {
    id,
    clicks: clicks.map(({ at, linkId, index, origin, client }) => [
      at,
      linkId,
      index,
      joinProfile(origin, client.part),
    ]),
  };
}
