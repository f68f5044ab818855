import { bulkJob } from "../links/bulk-jobs/job.ts";
import { accountExportJob, fileExportJob } from "./exports/job.ts";
import { importJob } from "./imports/job.ts";
import type { JobKind } from "../jobs/kind.ts";
import { tagJob } from "../links/tags/job.ts";

const KINDS: ReadonlyMap<string, JobKind> = new Map([
  ["bulk", bulkJob],
  ["import", importJob],
  ["tag", tagJob],
  ["account-export", accountExportJob],
  ["file-export", fileExportJob],
]);

export function kindOf(name: string): JobKind {
  const kind = KINDS.get(name);
  if (kind === undefined) throw new Error(`there is no kind of job ${name}`);
  return kind;
}
