import { joinProfile } from "./profile.ts";

/** A {@link import("./message.ts").VisitBatch} with its user agents and origins read. */
export interface ClickBatch {
  /** What was taken in under it is not taken in again. */
  id: string;
  clicks: Click[];
}

export interface Click {
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
export interface ToldBatch {
  id: string;
  clicks: ToldClick[];
}

export type ToldClick = [at: number, linkId: string, index: number, profile: string];

export function toTold({ id, clicks }: ClickBatch): ToldBatch {
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
