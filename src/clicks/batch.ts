/** The clicks of one message that belong to one {@link import("./log.ts").ClickLog}. */
export interface ClickBatch {
  /** That of the message: what was taken in under it is not taken in again. */
  id: string;
  clicks: Click[];
}

export type Click = [
  /** Unix milliseconds. */
  at: number,
  linkId: string,
  /** The place in the message, which tells clicks of one message apart. */
  index: number,
  /** Tells visitors apart; only a salted hash of it is stored. */
  visitor: string,
  profile: string,
];
