/** What is kept of a {@link import("./message.ts").VisitBatch}. */
export interface ClickBatch {
  /** What was taken in under it is not taken in again. */
  id: string;
  clicks: Click[];
}

export type Click = [
  /** Unix milliseconds. */
  at: number,
  linkId: string,
  /** The place in the batch, which tells its clicks apart. */
  index: number,
  /** Tells visitors apart; only a salted hash of it is stored. */
  visitor: string,
  profile: string,
];
