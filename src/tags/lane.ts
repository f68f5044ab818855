import type { Lane } from "../jobs/lane.ts";

/** Jobs that rename or delete a tag. The next one may concern the tag that the one before it writes. */
export const TAG_LANE: Lane = { name: "tags", plural: "jobs", limits: null, kept: null, isInOrder: true };
