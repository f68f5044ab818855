import { bulkJob } from "./bulk/job.ts";
import { importJob } from "./imports/import-job.ts";
import type { JobKind } from "./job-runner/kind.ts";

const KINDS: ReadonlyMap<string, JobKind> = new Map([
  ["bulk", bulkJob],
  ["import", importJob],
]);

export function kindOf(name: string): JobKind {
  const kind = KINDS.get(name);
  if (kind === undefined) throw new Error(`there is no kind of job ${name}`);
  return kind;
}
