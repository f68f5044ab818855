import { JOB_FAST_LINKS, JOB_LISTS_PER_MINUTE, JOB_READS_PER_MINUTE } from "#src/jobs/limits.ts";

const MINUTE_MS = 60_000;
/** A hidden tab only has to know roughly. */
const HIDDEN_MS = 15_000;

/** Something that the service does in the background. */
interface Progressing {
  status: string;
  progress: { done: number; total: number };
}

/** Whether it changes by itself. */
export function isActive({ status }: { status: string }): boolean {
  return ["pending", "reading", "running", "undoing"].includes(status);
}

/** The wait between two reads of one job: most of its limit while it is short, else less than half. */
export function waitForOne(job: Progressing): number | false {
  if (!isActive(job)) return false;
  if (document.hidden) return HIDDEN_MS;
  const share = job.progress.total <= JOB_FAST_LINKS ? 0.9 : 0.4;
  return MINUTE_MS / (JOB_READS_PER_MINUTE * share);
}

/** The wait between two reads of a list, with room for a second tab. */
export function waitForList(jobs: readonly Progressing[] | undefined): number | false {
  if (jobs === undefined || !jobs.some(isActive)) return false;
  return document.hidden ? HIDDEN_MS : MINUTE_MS / (JOB_LISTS_PER_MINUTE * 0.7);
}
