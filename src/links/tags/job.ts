import type { JobKind } from "../../jobs/kind.ts";
import { JOB_PAUSE_MS } from "../../limits.ts";
import { changeTaggedLinks } from "./change-links.ts";
import { TAG_JOB_KEPT_MS, TAG_JOB_PAGES_PER_ALARM } from "./limits.ts";
import type { Lane } from "../../jobs/lane.ts";

/** Jobs that rename or delete a tag. The next one may concern the tag that the one before it writes. */
export const TAG_LANE: Lane = {
  name: "tags",
  resource: "job",
  limits: null,
  kept: null,
  isInOrder: true,
};

/** Renames a tag on all links of an account, or removes it. */
export const tagJob: JobKind = {
  lane: TAG_LANE,
  permissionsOf: () => ["links:write"],
  startsByItself: true,
  outlivesDeletion: true,
  pagesPerAlarm: TAG_JOB_PAGES_PER_ALARM,
  pauseMs: JOB_PAUSE_MS,
  kept: { ms: TAG_JOB_KEPT_MS, from: "end" },
  // What is to be done is known, and the number of links too.
  read: async () => ({ position: null, done: 0 }),
  run: changeTaggedLinks,
};
