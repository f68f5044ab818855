import type { RequestContext } from "../context.ts";
import { notFound } from "../http/errors.ts";
import { runJobs } from "../jobs/run.ts";
import type { JobRow } from "../jobs/store.ts";
import { newId } from "../lib/uuid.ts";
import { toTagKey } from "./key.ts";
import { insertTagJob } from "./store/jobs.ts";

/** Starts to rename the tag on all links, or with null to remove it. Throws if no link of the account has the tag. */
export async function startTagJob(context: RequestContext, tag: string, name: string | null): Promise<JobRow> {
  const { env, now, principal } = context;
  const { accountId } = principal;
  const job = await insertTagJob(env.DB, { id: newId(now), accountId, key: toTagKey(tag), input: { tag, name } }, now);
  if (job === null) throw notFound("There is no such tag: no link of the account has it.");
  context.waitUntil(runJobs(context, accountId));
  return job;
}
