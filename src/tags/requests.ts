import type { RequestContext } from "../auth/principal.ts";
import { notFound } from "../http/errors.ts";
import { jobRunnerOf } from "../jobs/runner-stub.ts";
import type { JobState, JobStatus } from "../jobs/job.ts";
import { getJob, startJob, type ApiKind } from "../jobs/requests.ts";
import { toTagKey } from "../lib/tag-key.ts";
import { bytesQuota, toQuotaError } from "../usage/quota.ts";
import { readUsage } from "../usage/store.ts";
import { parseInput, type TagInput } from "./input.ts";
import type { Job } from "./job-contract.ts";
import { TAG_LANE } from "./job.ts";
import { JOB_REPEAT_MS } from "./limits.ts";
import { findTag } from "./store/tags.ts";

const KIND: ApiKind = { kind: "tag", noun: "job", lane: TAG_LANE };

/**
 * Starts to rename the tag on all links, or with null to remove it. Returns the job of an earlier request for the same if
 * that has just been done. Throws if no link of the account has the tag, or if a longer name would exceed the quota.
 */
export async function startTagJob(context: RequestContext, tag: string, name: string | null): Promise<Job> {
  const { env, db, now, principal } = context;
  const { accountId } = principal;
  const input = JSON.stringify({ tag, name } satisfies TagInput);
  const found = await findTag(db, accountId, toTagKey(tag), name);
  if (found === null) {
    const runner = jobRunnerOf(env, accountId, TAG_LANE.name);
    const earlier = await runner.findRepeated(KIND.kind, input, now - JOB_REPEAT_MS);
    if (earlier === null) throw notFound("There is no such tag: no link of the account has it.");
    return toJob(earlier);
  }
  if (!found.hasRoom) throw toQuotaError(bytesQuota(await readUsage(db, accountId)));
  return toJob(await startJob(context, KIND, { input, total: found.links }));
}

/** Throws 403 for a job of another account. */
export async function getTagJob(context: RequestContext, id: string): Promise<Job> {
  return toJob(await getJob(context, KIND, id));
}

/** A job of a tag begins by itself, and can be neither paused, cancelled nor undone. */
const STATUSES: Partial<Record<JobStatus, Job["status"]>> = {
  reading: "pending",
  running: "running",
  done: "done",
};

function toJob({ id, input: stored, status, progress, error, createdAt, finishedAt }: JobState): Job {
  const input = parseInput(stored);
  return {
    id,
    type: input.name === null ? "tag.delete" : "tag.rename",
    status: STATUSES[status] ?? "failed",
    input,
    ...progress,
    error,
    createdAt,
    finishedAt,
  };
}
