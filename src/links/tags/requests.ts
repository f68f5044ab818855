import type { RequestContext } from "../../platform/auth/principal.ts";
import { limitReached, notFound } from "../../platform/http/errors.ts";
import { jobRunnerOf } from "../../jobs/runner-stub.ts";
import type { JobState, JobStatus } from "../../jobs/job.ts";
import { getJob, startJob, type ApiKind } from "../../jobs/requests.ts";
import { toTagKey } from "../../platform/lib/tag-key.ts";
import { bytesQuota, toQuotaError } from "../../access/usage/quota.ts";
import { readUsage } from "../../access/usage/store.ts";
import { MAX_COLORED_TAGS_PER_ACCOUNT } from "../../limits.ts";
import type { TagColor } from "./colors.ts";
import type { Tag } from "./contract.ts";
import { parseInput, type TagInput } from "./input.ts";
import type { Job } from "./job-contract.ts";
import { TAG_LANE } from "./job.ts";
import { JOB_REPEAT_MS } from "./limits.ts";
import { colorTag, findTag } from "./store/tags.ts";

const KIND: ApiKind = { kind: "tag", resource: "job", lane: TAG_LANE };

/** What becomes of a tag. `name`: null removes it. `color`: null for none, undefined for the one that it has. */
type TagChange = { name: string; color?: TagColor | null | undefined } | { name: null };

/**
 * Starts to rename the tag on all links, or to remove it. Returns the job of an earlier request for the same if that has just
 * been done. Throws if no link of the account has the tag, if a longer name would exceed the quota, or if the colour would be
 * one too many. The tag has the colour before the job begins, and keeps it in the renaming.
 */
export async function startTagJob(context: RequestContext, tag: string, change: TagChange): Promise<Job> {
  const { env, db, now, principal } = context;
  const { accountId } = principal;
  const { name } = change;
  const input = JSON.stringify({ tag, name } satisfies TagInput);
  const found = await findTag(db, accountId, toTagKey(tag), name);
  if (found === null) {
    const runner = jobRunnerOf(env, accountId, TAG_LANE.name);
    const earlier = await runner.findRepeated(KIND.kind, input, now - JOB_REPEAT_MS);
    if (earlier === null) throw tagNotFound();
    return toJob(earlier);
  }
  if (!found.hasRoom) throw toQuotaError(bytesQuota(await readUsage(db, accountId)));
  if ("color" in change && change.color !== undefined) await setTagColor(context, tag, change.color, change.name);
  return toJob(await startJob(context, KIND, { input, total: found.links }));
}

const tagNotFound = () => notFound("not_found", { resource: "tag" });

/**
 * Gives a tag the colour, or with null none, and the tag of its new name too, if it has one. Throws if no link of the account
 * has the tag, or if it would be one colour too many.
 */
export async function setTagColor(
  { db, principal }: RequestContext,
  tag: string,
  color: TagColor | null,
  newName = tag,
): Promise<Tag> {
  const found = await colorTag(db, principal.accountId, { key: toTagKey(tag), newKey: toTagKey(newName) }, color);
  if (found === null) throw tagNotFound();
  if (found.color !== color)
    throw limitReached("limit_reached", { resource: "coloured_tag", max: MAX_COLORED_TAGS_PER_ACCOUNT });
  const { name, links } = found;
  return { name, links, color };
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

function toJob({ id, input: stored, status, progress, error, fault, createdAt, finishedAt }: JobState): Job {
  const input = parseInput(stored);
  return {
    id,
    type: input.name === null ? "tag.delete" : "tag.rename",
    status: STATUSES[status] ?? "failed",
    input,
    ...progress,
    error,
    fault,
    createdAt,
    finishedAt,
  };
}
