import type { JobContext, JobKind, JobPage } from "../job-runner/kind.ts";
import { checkRowPage, FIRST_CHECK, type CheckPosition } from "./check-rows.ts";
import { describeFile } from "./describe-file.ts";
import { readSummary } from "./lists.ts";
import { readRowPages, type RowsPosition } from "./read-rows.ts";
import { runRowPage } from "./run-rows.ts";
import { undoRowPage } from "./undo-rows.ts";

/** Imports links from a file. */
export const importJob: JobKind = {
  permissionsOf: () => ["links:write"],
  startsByItself: false,
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
