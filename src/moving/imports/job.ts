import type { JobContext, JobKind, JobPage } from "../../jobs/kind.ts";
import { JOBS_LANE } from "../../jobs/lane.ts";
import { JOB_PAGES_PER_ALARM } from "../../jobs/limits.ts";
import { JOB_PAUSE_MS, JOB_TTL_MS } from "../../limits.ts";
import { checkRowPage, FIRST_CHECK, type CheckPosition } from "./check-rows.ts";
import { describeFile } from "./describe-file.ts";
import { readSummary } from "./lists.ts";
import { readRowPages, type RowsPosition } from "./read-rows.ts";
import { runRowPage } from "./run-rows.ts";
import { undoRowPage } from "./undo-rows.ts";

/** Imports links from a file. */
export const importJob: JobKind = {
  lane: JOBS_LANE,
  permissionsOf: () => ["bulk", "links:write"],
  startsByItself: false,
  outlivesDeletion: false,
  pagesPerAlarm: JOB_PAGES_PER_ALARM,
  pauseMs: JOB_PAUSE_MS,
  kept: { ms: JOB_TTL_MS, from: "end" },
  read,
  run: runRowPage,
  undo: undoRowPage,
};

/** Reads the file, once; then checks its rows, anew after each change of the choices. */
async function read(context: JobContext): Promise<JobPage> {
  const position = context.position as RowsPosition | CheckPosition | { phase: "compare" } | null;
  const phase = position?.phase ?? (readSummary(context.records) === null ? "rows" : "check");
  if (phase === "rows") return readRowPages(context, FIRST_CHECK);
  return phase === "check" ? checkRowPage(context) : describeFile(context);
}
