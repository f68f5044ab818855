import { starterOf } from "../../platform/auth/still-allowed.ts";
import { Batch } from "../../platform/database/batch.ts";
import { payloadTooLarge } from "../../platform/http/errors.ts";
import type { JobAction } from "../../jobs/contract.ts";
import type { JobChange, JobFailure, JobState } from "../../jobs/job.ts";
import { toRecords } from "../../jobs/kind.ts";
import { newJobId } from "../../jobs/job-id.ts";
import { JOBS_LANE } from "../../jobs/lane.ts";
import { changeJob, getJob, listJobs, readFailurePages, startJob, type ApiKind } from "../../jobs/requests.ts";
import { streamCsv } from "../../platform/lib/csv.ts";
import { MAX_BODY_BYTES } from "../../limits.ts";
import { readFilter } from "../list-filter.ts";
import { refuseDomain } from "../refusal.ts";
import { readVerifiedDomains } from "../store/verified-domains.ts";
import { throwErrors, toUpdateRequest } from "../update.ts";
import { validateHosts } from "../validate.ts";
import type { BulkChanges, BulkJob, StartBulkJob } from "./contract.ts";
import { parseInput, sealPassword, type BulkInput } from "./input.ts";
import { LINK_IDS, toPages } from "./job.ts";
import type { RequestContext } from "../../platform/auth/principal.ts";

const KIND: ApiKind = { kind: "bulk", resource: "bulk_job", lane: JOBS_LANE };

/** Starts a job. Throws a 400 or 403 if it could not change any link. */
export async function startBulkJob(context: RequestContext, body: StartBulkJob): Promise<BulkJob> {
  const { env, now } = context;
  const id = newJobId(now, context.principal.accountId);
  const changes = body.changes ?? null;
  if (changes !== null) await requireValid(context, changes);
  const input: BulkInput = {
    action: changes !== null ? "update" : body.delete === true ? "delete" : "restore",
    changes: changes && (await sealPassword(env.ENCRYPTION_KEYS, id, changes)),
    filter: body.filter === undefined ? null : await readFilter(context, body.filter),
  };
  const ids = toPages([...new Set(body.ids)]);
  const records = ids.flatMap((page, number) => toRecords(LINK_IDS, number, page));
  return toBulkJob(await startJob(context, KIND, { id, input: JSON.stringify(input), records }));
}

/** Checks what is the same for all links. */
async function requireValid(context: RequestContext, changes: BulkChanges): Promise<void> {
  const { db, principal } = context;
  if (new TextEncoder().encode(JSON.stringify(changes)).byteLength > MAX_BODY_BYTES)
    throw payloadTooLarge("changes_too_large", { max: MAX_BODY_BYTES });
  const { addTags: _, removeTags: __, ...fields } = changes;
  const { domain = "", hosts } = toUpdateRequest(fields, context, "changes.");
  if (domain === "" && hosts.length === 0) return;
  const batch = new Batch(db);
  const verified = readVerifiedDomains(batch, JSON.stringify([...hosts, domain]));
  await batch.commit();
  const isOwn = verified.rows.some((row) => row.domain === domain && row.account_id === principal.accountId);
  if (domain !== "" && !isOwn) throw refuseDomain(domain);
  throwErrors(validateHosts(fields, new Set(verified.rows.map((row) => row.domain))), "changes.");
}

export async function getBulkJob(context: RequestContext, id: string): Promise<BulkJob> {
  return toBulkJob(await getJob(context, KIND, id));
}

export async function listBulkJobs(
  context: RequestContext,
  query: Parameters<typeof listJobs>[2],
): Promise<{ jobs: BulkJob[]; nextCursor: string | null }> {
  const { items, nextCursor } = await listJobs(context, KIND, query);
  return { jobs: items.map(toBulkJob), nextCursor };
}

export async function changeBulkJob(context: RequestContext, id: string, action: JobAction): Promise<BulkJob> {
  const change: JobChange = { action, starter: starterOf(context.principal) };
  return toBulkJob(await changeJob(context, KIND, id, change));
}

const FAILURE_COLUMNS = {
  id: ({ subject }: JobFailure) => subject,
  reason: ({ reason }: JobFailure) => reason,
  fault: ({ code }: JobFailure) => code,
};

/** The links that the job could not change or undo, as CSV. */
export async function readBulkFailures(context: RequestContext, id: string): Promise<ReadableStream<Uint8Array>> {
  await getJob(context, KIND, id);
  return streamCsv(FAILURE_COLUMNS, readFailurePages(context, KIND, id));
}

function toBulkJob(state: JobState): BulkJob {
  const { id, status, input, progress, counts, error, fault, createdAt, finishedAt, expiresAt } = state;
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
    fault,
    createdAt,
    finishedAt,
    expiresAt,
  };
}
