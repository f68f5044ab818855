import type { RequestContext } from "../platform/auth/principal.ts";
import { starterOf } from "../platform/auth/still-allowed.ts";
import type { AccountContext } from "../platform/context.ts";
import { conflict, forbidden, limitReached, notFound, rateLimited } from "../platform/http/errors.ts";
import { fault } from "../platform/http/faults.ts";
import type { Resource } from "../platform/http/fault-sentences.ts";
import { readPage, toPage } from "../platform/http/pagination.ts";
import { isId } from "../platform/lib/uuid.ts";
import { MAX_UPLOADS_PER_WINDOW } from "../limits.ts";
import { toSeconds } from "../platform/rate-limit/rate-limit.ts";
import { isJobOfOther, newJobId } from "./job-id.ts";
import { jobRunnerOf } from "./runner-stub.ts";
import type { Lane } from "./lane.ts";
import type { JobChange, JobFailure, JobOutcome, JobRecord, JobState, JobStatus } from "./job.ts";

// What requests for jobs of all kinds have in common.

/** A kind of job, and what its errors call one. */
export interface ApiKind {
  /** A name of src/moving/job-kinds.ts. */
  kind: string;
  resource: Resource;
  lane: Lane;
}

interface StartedJob {
  id?: string;
  /** JSON in the form of the kind. */
  input: string;
  records?: JobRecord[];
  /** Items to do, as far as it is known. */
  total?: number;
}

/** Starts a job for the caller. Throws a 409 or 429 if that was refused. */
export async function startJob(
  { env, now, baseUrl, principal }: Pick<RequestContext, "env" | "now" | "baseUrl" | "principal">,
  api: ApiKind,
  { id = newJobId(now, principal.accountId), input, records = [], total = 0 }: StartedJob,
): Promise<JobState> {
  const { accountId } = principal;
  const job = {
    id,
    kind: api.kind,
    accountId,
    starter: starterOf(principal),
    baseUrl,
    input,
    total,
    isReceiving: false,
  };
  return requireDone(api, await jobRunnerOf(env, accountId, api.lane.name).start(job, records));
}

/** Throws 403 for a job of another account, and 404 for one of another kind or one that does not exist. */
export async function getJob({ env, principal }: AccountContext, kind: ApiKind, id: string): Promise<JobState> {
  if (!isId(id)) throw jobNotFound(kind);
  if (isJobOfOther(id, principal.accountId)) throw forbidden("of_another_account", { resource: kind.resource });
  const found = await jobRunnerOf(env, principal.accountId, kind.lane.name).find(id);
  if (found?.kind !== kind.kind) throw jobNotFound(kind);
  return found;
}

/** The jobs of the kind, newest first. */
export async function listJobs(
  { env, principal }: AccountContext,
  { kind, lane }: ApiKind,
  query: { limit?: number | undefined; cursor?: string | undefined },
): Promise<{ items: JobState[]; nextCursor: string | null }> {
  const page = readPage(query, kind);
  const { jobs } = await jobRunnerOf(env, principal.accountId, lane.name).list(kind, page.after, page.limit + 1);
  return toPage(jobs, page, kind, ({ id }) => id);
}

/** Returns the job after the change. Throws a 403, 404, 409 or 429 if that was refused. */
export async function changeJob(
  context: AccountContext,
  kind: ApiKind,
  id: string,
  change: JobChange,
): Promise<JobState> {
  await getJob(context, kind, id);
  const runner = jobRunnerOf(context.env, context.principal.accountId, kind.lane.name);
  return requireDone(kind, await runner.change(id, change));
}

/** Returns the job after a start or a change. Throws a 404, 409 or 429 if that was refused. */
export function requireDone(kind: ApiKind, result: JobOutcome): JobState {
  if (result.outcome === "ok") return result.state;
  if (result.outcome === "not_found") throw jobNotFound(kind);
  if (result.outcome === "wrong_status") throw wrongStatus(kind, result.status);
  const { resource, limits } = kind.lane;
  if (result.outcome === "too_many_running")
    throw limitReached("too_many_running", { resource, max: limits?.running ?? 0 });
  const isUpload = result.outcome === "too_many_uploads";
  const limit = isUpload ? MAX_UPLOADS_PER_WINDOW : (limits?.perWindow ?? 0);
  const reason = isUpload
    ? fault("", "too_many_uploads", { max: limit })
    : fault("", "too_many_started", { resource, max: limit });
  throw rateLimited(reason, toSeconds(result.waitMs), { limit, remaining: 0 });
}

export function wrongStatus({ resource }: ApiKind, status: JobStatus): Error {
  return conflict("wrong_state", { resource, value: status });
}

/** The failures of a job, a page at a time. */
export async function* readFailurePages(
  { env, principal }: AccountContext,
  { lane }: ApiKind,
  id: string,
): AsyncGenerator<JobFailure[]> {
  for (let from: number | null = 0; from !== null;) {
    const page = await jobRunnerOf(env, principal.accountId, lane.name).readFailures(id, from);
    if (page === null) throw new Error("The job was deleted while its failures were read.");
    yield page.failures;
    from = page.next;
  }
}

function jobNotFound({ resource }: ApiKind): Error {
  return notFound("not_found", { resource });
}
