import type { Principal, RequestContext } from "../context.ts";
import { Batch } from "../database/batch.ts";
import { conflict, forbidden, limitReached, notFound, payloadTooLarge, rateLimited } from "../http/errors.ts";
import { readPage, toPage } from "../http/pagination.ts";
import { jobRunnerOf } from "../job-runner/client.ts";
import type { JobChange, JobFailure, JobOutcome, JobStarter, JobState } from "../job-runner/job.ts";
import { toRecords } from "../job-runner/kind.ts";
import { streamCsv } from "../lib/csv.ts";
import { isId, newId } from "../lib/uuid.ts";
import { MAX_BODY_BYTES, MAX_JOBS_PER_WINDOW, MAX_RUNNING_JOBS } from "../limits.ts";
import { toFilter } from "../links/list.ts";
import { readVerifiedDomains } from "../links/store/verified-domains.ts";
import { throwErrors, toUpdateRequest } from "../links/update.ts";
import { validateHosts } from "../links/validate.ts";
import { toSeconds } from "../rate-limit/rate-limit.ts";
import type { BulkChanges, BulkJob, StartBulkJob } from "./contract.ts";
import { parseInput, sealPassword, type BulkInput } from "./input.ts";
import { IDS, toPages } from "./job.ts";

const KIND = "bulk";

/** Starts a job. Throws a 400 or 403 if it could not change any link. */
export async function startBulkJob(context: RequestContext, body: StartBulkJob): Promise<BulkJob> {
  const { env, now, baseUrl, principal } = context;
  const id = newId(now);
  const changes = body.changes ?? null;
  if (changes !== null) await requireValid(context, changes);
  const input: BulkInput = {
    action: changes !== null ? "update" : body.delete === true ? "delete" : "restore",
    changes: changes && (await sealPassword(env.ENCRYPTION_KEYS, id, changes)),
    filter: body.filter === undefined ? null : toFilter(body.filter, baseUrl),
  };
  const ids = toPages([...new Set(body.ids)]);
  const { accountId } = principal;
  const job = { id, kind: KIND, accountId, starter: starterOf(principal), baseUrl, input: JSON.stringify(input) };
  const records = ids.flatMap((page, number) => toRecords(IDS, number, page));
  return stateOf(await jobRunnerOf(env, accountId).start({ ...job, isReceiving: false }, records));
}

/** Checks what is the same for all links. */
async function requireValid({ env, baseUrl, principal }: RequestContext, changes: BulkChanges): Promise<void> {
  if (new TextEncoder().encode(JSON.stringify(changes)).byteLength > MAX_BODY_BYTES)
    throw payloadTooLarge(`The changes may have at most ${MAX_BODY_BYTES} bytes.`);
  const { addTags: _, removeTags: __, ...fields } = changes;
  const { domain = "", hosts } = toUpdateRequest(fields, { baseUrl }, "changes.");
  if (domain === "" && hosts.length === 0) return;
  const batch = new Batch(env.DB);
  const verified = readVerifiedDomains(batch, JSON.stringify([...hosts, domain]));
  await batch.commit();
  const isOwn = verified.rows.some((row) => row.domain === domain && row.account_id === principal.accountId);
  if (domain !== "" && !isOwn)
    throw forbidden(`${domain} is not a verified domain of this account. Add and verify it first.`);
  throwErrors(validateHosts(fields, new Set(verified.rows.map((row) => row.domain))), "changes.");
}

function starterOf(principal: Principal): JobStarter {
  return principal.type === "key"
    ? { type: "key", keyId: principal.keyId }
    : { type: "person", userId: principal.user.id };
}

/** Throws 404 for an id of another account, too. */
export async function getBulkJob({ env, principal }: RequestContext, id: string): Promise<BulkJob> {
  const found = isId(id) ? await jobRunnerOf(env, principal.accountId).find(id) : null;
  if (found?.kind !== KIND) throw jobNotFound();
  return toBulkJob(found);
}

export async function listBulkJobs(
  { env, principal }: RequestContext,
  query: { limit?: number | undefined; cursor?: string | undefined },
): Promise<{ jobs: BulkJob[]; nextCursor: string | null }> {
  const page = readPage(query, KIND);
  const { jobs } = await jobRunnerOf(env, principal.accountId).list(KIND, page.after, page.limit + 1);
  const { items, nextCursor } = toPage(jobs, page, KIND, ({ id }) => id);
  return { jobs: items.map(toBulkJob), nextCursor };
}

export async function changeBulkJob(
  context: RequestContext,
  id: string,
  action: "pause" | "resume" | "cancel" | "undo",
): Promise<BulkJob> {
  await getBulkJob(context, id);
  const change: JobChange = { action, starter: starterOf(context.principal) };
  return stateOf(await jobRunnerOf(context.env, context.principal.accountId).change(id, change));
}

const FAILURE_COLUMNS = {
  id: ({ subject }: JobFailure) => subject,
  reason: ({ reason }: JobFailure) => reason,
};

/** The links that the job could not change or undo, as CSV. */
export async function readBulkFailures(context: RequestContext, id: string): Promise<ReadableStream<Uint8Array>> {
  await getBulkJob(context, id);
  return streamCsv(FAILURE_COLUMNS, pagesOf(context, id));
}

async function* pagesOf({ env, principal }: RequestContext, id: string): AsyncGenerator<JobFailure[]> {
  for (let from: number | null = 0; from !== null;) {
    const page = await jobRunnerOf(env, principal.accountId).readFailures(id, from);
    if (page === null) throw new Error("The job was deleted while its failures were read.");
    yield page.failures;
    from = page.next;
  }
}

function stateOf(result: JobOutcome): BulkJob {
  if (result.outcome === "ok") return toBulkJob(result.state);
  if (result.outcome === "not_found") throw jobNotFound();
  if (result.outcome === "wrong_status") throw conflict(`This is not possible while the job is ${result.status}.`);
  if (result.outcome === "too_many_running")
    throw limitReached(`${MAX_RUNNING_JOBS} jobs of this account are running. Wait until one of them has ended.`);
  const seconds = toSeconds(result.waitMs);
  throw rateLimited(
    `This account started ${MAX_JOBS_PER_WINDOW} jobs in the last hour, which is the maximum. Try again in ${seconds} seconds.`,
    seconds,
    { limit: MAX_JOBS_PER_WINDOW, remaining: 0 },
  );
}

const jobNotFound = () => notFound("There is no such bulk job, or it has expired.");

function toBulkJob(state: JobState): BulkJob {
  const { id, status, input, progress, counts, error, createdAt, finishedAt, expiresAt } = state;
  const { action, changes } = parseInput(input);
  const { changed = 0, unchanged = 0, failed = 0, undone = 0, notUndone = 0 } = counts;
  return {
    id,
    action,
    fields: Object.keys(changes ?? {}),
    // A bulk job is complete from the beginning, and starts by itself.
    status: status as BulkJob["status"],
    progress,
    changed,
    unchanged,
    failed,
    undone,
    notUndone,
    error,
    createdAt,
    finishedAt,
    expiresAt,
  };
}
