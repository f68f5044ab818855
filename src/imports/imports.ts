import { starterOf } from "../background/still-allowed.ts";
import type { RequestContext } from "../context.ts";
import {
  badRequest,
  conflict,
  forbidden,
  invalidRequest,
  limitReached,
  notFound,
  rateLimited,
  unsupportedMediaType,
  type ErrorDetail,
} from "../http/errors.ts";
import { readPage, toPage } from "../http/pagination.ts";
import { jobRunnerOf } from "../job-runner/client.ts";
import type { JobChange, JobOutcome } from "../job-runner/job.ts";
import { isId, newId } from "../lib/uuid.ts";
import { MAX_JOBS_PER_WINDOW, MAX_RUNNING_JOBS } from "../limits.ts";
import { toDomain } from "../links/domain.ts";
import { toSeconds } from "../rate-limit/rate-limit.ts";
import type { Import, UpdateImport } from "./schemas.ts";
import type { ImportField } from "./formats/fields.ts";
import { DEFAULT_CHOICES, parseDetails, parseInput, type ImportChoices, type ImportInput } from "./input.ts";
import { toImport } from "./serialize.ts";
import { findVerifiedDomains } from "./store.ts";
import { requireSize, uploadFile } from "./upload.ts";

const KIND = "import";

/** What a browser or a program calls a CSV or JSON file. */
const MEDIA_TYPES = new Set([
  "application/json",
  "application/vnd.ms-excel",
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
  if (body === null) throw badRequest("The file is empty. Send it as the body of the request.");
  const { domain, redirectStatus } = principal.linkDefaults ?? {};
  const defaults = {
    domain: domain === undefined ? "" : toDomain(domain, baseUrl),
    redirectStatus: redirectStatus ?? null,
  };
  const { accountId } = principal;
  const job = { id: newId(now), kind: KIND, accountId, starter: starterOf(principal), baseUrl };
  const file = encoding === null ? body : decompress(body, encoding);
  const outcome = await uploadFile(context, job, file, (layout) => {
    const input: ImportInput = { source, layout, choices: DEFAULT_CHOICES, defaults };
    return JSON.stringify(input);
  });
  return stateOf(outcome, baseUrl);
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

/** Throws 404 for an id of another account, too. */
export async function getImport(context: RequestContext, id: string): Promise<Import> {
  return toImport(await findState(context, id), context.baseUrl);
}

async function findState({ env, principal }: RequestContext, id: string) {
  const found = isId(id) ? await jobRunnerOf(env, principal.accountId).find(id) : null;
  if (found?.kind !== KIND) throw importNotFound();
  return found;
}

export async function listImports(
  { env, principal, baseUrl }: RequestContext,
  query: { limit?: number | undefined; cursor?: string | undefined },
): Promise<{ imports: Import[]; nextCursor: string | null }> {
  const page = readPage(query, KIND);
  const { jobs } = await jobRunnerOf(env, principal.accountId).list(KIND, page.after, page.limit + 1);
  const { items, nextCursor } = toPage(jobs, page, KIND, ({ id }) => id);
  return { imports: items.map((state) => toImport(state, baseUrl)), nextCursor };
}

/** Changes what is chosen, and reads the rows anew. Throws a 400 for columns and domains that do not exist. */
export async function updateImport(context: RequestContext, id: string, changes: UpdateImport): Promise<Import> {
  const state = await findState(context, id);
  const input = parseInput(state.input);
  const details = parseDetails(state.details);
  if (state.status !== "ready" || details === null) throw wrongStatus(state.status);
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
  const errors: ErrorDetail[] = [];
  const seen = new Set<ImportField>();
  for (const [column, field] of Object.entries(mapping)) {
    if (!columns.includes(column)) errors.push({ path: `mapping.${column}`, message: "is no column of the file" });
    if (field !== null && seen.has(field))
      errors.push({ path: `mapping.${column}`, message: `must not have the field ${field}, which another column has` });
    if (field !== null) seen.add(field);
  }
  if (errors.length > 0) throw invalidRequest(errors);
}

/** Throws a 403 unless links of the account can be at all of the chosen domains. */
async function requireDomains(
  { env, baseUrl, principal }: RequestContext,
  domains: ImportChoices["domains"],
): Promise<void> {
  if (typeof domains === "string") return;
  const chosen = Object.values(domains).filter((choice) => choice !== "default" && choice !== "skip");
  const names = new Set(chosen.map((name) => toDomain(name, baseUrl)));
  names.delete("");
  const verified = await findVerifiedDomains(env.DB, names);
  const own = new Set(verified.filter((row) => row.account_id === principal.accountId).map(({ domain }) => domain));
  const other = [...names].find((name) => !own.has(name));
  if (other !== undefined)
    throw forbidden(`${other} is not a verified domain of this account. Add and verify it first.`);
}

export async function runImport(context: RequestContext, id: string): Promise<Import> {
  const state = await findState(context, id);
  if (state.status === "ready" && parseDetails(state.details)?.mapping.url === undefined) {
    throw conflict(
      'No column of the file is known to have the destinations. Name it first, with PATCH and {"mapping": {"<column>": "url"}}.',
    );
  }
  return change(context, id, { action: "start" });
}

export async function changeImport(
  context: RequestContext,
  id: string,
  action: "pause" | "resume" | "cancel" | "undo",
): Promise<Import> {
  await findState(context, id);
  return change(context, id, { action });
}

type Action = JobChange extends infer C ? (C extends JobChange ? Omit<C, "starter"> : never) : never;

async function change({ env, principal, baseUrl }: RequestContext, id: string, action: Action): Promise<Import> {
  const starter = starterOf(principal);
  const result = await jobRunnerOf(env, principal.accountId).change(id, { ...action, starter });
  if (action.action === "configure" && result.outcome === "wrong_status" && result.status === "ready")
    throw conflict(CHANGED_MEANWHILE);
  return stateOf(result, baseUrl);
}

function stateOf(result: JobOutcome, baseUrl: string): Import {
  if (result.outcome === "ok") return toImport(result.state, baseUrl);
  if (result.outcome === "not_found") throw importNotFound();
  if (result.outcome === "wrong_status") throw wrongStatus(result.status);
  if (result.outcome === "too_many_running")
    throw limitReached(`${MAX_RUNNING_JOBS} jobs of this account are running. Wait until one of them has ended.`);
  const seconds = toSeconds(result.waitMs);
  throw rateLimited(
    `This account started ${MAX_JOBS_PER_WINDOW} jobs in the last hour, which is the maximum. Try again in ${seconds} seconds.`,
    seconds,
    { limit: MAX_JOBS_PER_WINDOW, remaining: 0 },
  );
}

const wrongStatus = (status: string) => conflict(`This is not possible while the import is ${status}.`);
const CHANGED_MEANWHILE = "The import was changed at the same time. Read it, and send the change again.";
const importNotFound = () => notFound("There is no such import, or it has expired.");
