import { starterOf } from "../../platform/auth/still-allowed.ts";
import { badRequest, conflict, forbidden, invalidRequest, unsupportedMediaType } from "../../platform/http/errors.ts";
import { newJobId } from "../../jobs/job-id.ts";
import { jobRunnerOf } from "../../jobs/runner-stub.ts";
import type { JobAction } from "../../jobs/contract.ts";
import type { JobChange, JobState } from "../../jobs/job.ts";
import { JOBS_LANE } from "../../jobs/lane.ts";
import { getJob, listJobs, readFailurePages, requireDone, wrongStatus, type ApiKind } from "../../jobs/requests.ts";
import { toStoredDomain } from "../../links/domain.ts";
import type { Import, UpdateImport } from "./schemas.ts";
import type { ImportField } from "./formats/fields.ts";
import { DEFAULT_CHOICES, parseDetails, parseInput, type ImportChoices, type ImportInput } from "./input.ts";
import { toImport } from "./serialize.ts";
import { findVerifiedDomains } from "./store.ts";
import { requireSize, uploadFile } from "./upload.ts";
import type { RequestContext } from "../../platform/auth/principal.ts";
import { fault, type Fault } from "../../platform/http/faults.ts";

const KIND: ApiKind = { kind: "import", resource: "import", lane: JOBS_LANE };

/** The failures of an import, a page at a time. */
export const readImportFailurePages = (context: RequestContext, id: string) => readFailurePages(context, KIND, id);

/** What a browser or a program calls a CSV or JSON file, or a file whose first bytes tell what to do with it. */
const MEDIA_TYPES = new Set([
  "application/gzip",
  "application/json",
  "application/octet-stream",
  "application/pdf",
  "application/vnd.ms-excel",
  "application/vnd.oasis.opendocument.spreadsheet",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  "application/x-gzip",
  "application/x-zip-compressed",
  "application/zip",
  "text/html",
  "text/csv",
  "text/plain",
  "text/tab-separated-values",
]);

/** The file of a request, as it comes. */
export interface Upload {
  body: ReadableStream<Uint8Array> | null;
  contentType: string | undefined;
  contentLength: string | undefined;
  encoding: "gzip" | "deflate" | null;
}

/** Stores the file of the request, and starts to read it. */
export async function startImport(
  context: RequestContext,
  { body, contentType, contentLength, encoding }: Upload,
  source: ImportInput["source"],
): Promise<Import> {
  const { now, baseUrl, principal } = context;
  requireMediaType(contentType);
  requireSize(contentLength);
  if (body === null) throw badRequest("file_empty");
  const { domain, redirectStatus } = principal.linkDefaults ?? {};
  const defaults = {
    domain: domain === undefined ? "" : toStoredDomain(domain, baseUrl),
    redirectStatus: redirectStatus ?? null,
  };
  const { accountId } = principal;
  const job = { id: newJobId(now, accountId), kind: KIND.kind, accountId, starter: starterOf(principal), baseUrl };
  const file = encoding === null ? body : decompress(body, encoding);
  const outcome = await uploadFile(context, job, file, (layout) => {
    const input: ImportInput = { source, layout, choices: DEFAULT_CHOICES, defaults };
    return JSON.stringify(input);
  });
  return toImport(requireDone(KIND, outcome), baseUrl);
}

function decompress(body: ReadableStream<Uint8Array>, encoding: "gzip" | "deflate"): ReadableStream<Uint8Array> {
  // The types of Node.js, which check the scripts, and those of the runtime differ.
  const { readable, writable } = new DecompressionStream(encoding) as ReadableWritablePair<Uint8Array, Uint8Array>;
  return body.pipeThrough({ readable, writable });
}

function requireMediaType(header = ""): void {
  const [type = ""] = header.split(";", 1);
  if (!MEDIA_TYPES.has(type.trim().toLowerCase()))
    throw unsupportedMediaType("Send the file itself as the body, with the Content-Type text/csv or application/json.");
}

export async function getImport(context: RequestContext, id: string): Promise<Import> {
  return toImport(await getImportJob(context, id), context.baseUrl);
}

export async function getImportJob(context: RequestContext, id: string): Promise<JobState> {
  return getJob(context, KIND, id);
}

export async function listImports(
  context: RequestContext,
  query: Parameters<typeof listJobs>[2],
): Promise<{ imports: Import[]; nextCursor: string | null }> {
  const { items, nextCursor } = await listJobs(context, KIND, query);
  return { imports: items.map((state) => toImport(state, context.baseUrl)), nextCursor };
}

/** Changes what is chosen, and reads the rows anew. Throws a 400 for columns and domains that do not exist. */
export async function updateImport(context: RequestContext, id: string, changes: UpdateImport): Promise<Import> {
  const state = await getJob(context, KIND, id);
  const input = parseInput(state.input);
  const details = parseDetails(state.details);
  if (state.status !== "ready" || details === null) throw wrongStatus(KIND, state.status);
  if (changes.mapping !== undefined) requireColumns(changes.mapping, details.columns);
  const { domains: chosen, ...others } = withoutUndefined(changes);
  const domains = chosen === undefined ? input.choices.domains : withLowerCaseHosts(chosen);
  await requireDomains(context, domains);
  const mapping = { ...input.choices.mapping, ...changes.mapping };
  const choices: ImportChoices = { ...input.choices, ...others, mapping: latest(mapping, changes.mapping), domains };
  return change(context, id, { action: "configure", input: JSON.stringify({ ...input, choices }), from: state.input });
}

/** Hosts do not differ by case; those of the rows are in lower case. */
function withLowerCaseHosts(domains: ImportChoices["domains"]): ImportChoices["domains"] {
  if (typeof domains === "string") return domains;
  return Object.fromEntries(Object.entries(domains).map(([host, choice]) => [host.toLowerCase(), choice]));
}

function withoutUndefined<T extends object>(values: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
}

/** The changes of this request come last, and take their fields from columns that had them before. */
function latest(all: ImportChoices["mapping"], changed: ImportChoices["mapping"] = {}): ImportChoices["mapping"] {
  const taken = new Set(Object.values(changed));
  const others = Object.entries(all).filter(([column]) => !Object.hasOwn(changed, column));
  const kept = others.map(([column, field]) => [column, field !== null && taken.has(field) ? null : field] as const);
  return { ...Object.fromEntries(kept), ...changed };
}

function requireColumns(mapping: ImportChoices["mapping"], columns: readonly string[]): void {
  const faults: Fault[] = [];
  const seen = new Set<ImportField>();
  for (const [column, field] of Object.entries(mapping)) {
    if (!columns.includes(column)) faults.push(fault(`mapping.${column}`, "no_column"));
    if (field !== null && seen.has(field)) faults.push(fault(`mapping.${column}`, "mapped_twice", { field }));
    if (field !== null) seen.add(field);
  }
  if (faults.length > 0) throw invalidRequest(faults);
}

/** Throws a 403 unless links of the account can be at all of the chosen domains. */
async function requireDomains(
  { db, baseUrl, principal }: RequestContext,
  domains: ImportChoices["domains"],
): Promise<void> {
  if (typeof domains === "string") return;
  const chosen = Object.values(domains).filter((choice) => choice !== "default" && choice !== "skip");
  const names = new Set(chosen.map((name) => toStoredDomain(name, baseUrl)));
  names.delete("");
  const verified = await findVerifiedDomains(db, names);
  const own = new Set(verified.filter((row) => row.account_id === principal.accountId).map(({ domain }) => domain));
  const other = [...names].find((name) => !own.has(name));
  if (other !== undefined) throw forbidden("domain_refused", { value: other });
}

export async function runImport(context: RequestContext, id: string): Promise<Import> {
  const state = await getJob(context, KIND, id);
  if (state.status === "ready" && parseDetails(state.details)?.mapping.url === undefined)
    throw conflict("no_destination_column");
  return change(context, id, { action: "start" });
}

export async function changeImport(context: RequestContext, id: string, action: JobAction): Promise<Import> {
  await getJob(context, KIND, id);
  return change(context, id, { action });
}

type Action = JobChange extends infer C ? (C extends JobChange ? Omit<C, "starter"> : never) : never;

async function change({ env, principal, baseUrl }: RequestContext, id: string, action: Action): Promise<Import> {
  const starter = starterOf(principal);
  const result = await jobRunnerOf(env, principal.accountId, "jobs").change(id, { ...action, starter });
  if (action.action === "configure" && result.outcome === "wrong_status" && result.status === "ready")
    throw conflict("changed_meanwhile", { resource: "import" });
  return toImport(requireDone(KIND, result), baseUrl);
}
