import { selectClicks } from "../../../clicks/analytics/read-clicks.ts";
import { requirePermissions } from "../../../platform/auth/require-permissions.ts";
import { invalidField } from "../../../platform/http/errors.ts";
import { readPage, toPage } from "../../../platform/http/pagination.ts";
import { jobRunnerOf } from "../../../jobs/runner-stub.ts";
import type { JobState } from "../../../jobs/job.ts";
import { toRecords } from "../../../jobs/kind.ts";
import { getJob, startJob } from "../../../jobs/requests.ts";
import { readFilter, type ListFilter } from "../../../links/list-filter.ts";
import type { FilterQuery } from "../../../links/list-contract.ts";
import { countLinks } from "../../../links/store/list.ts";
import { findListedIds } from "../../../links/store/selected-links.ts";
import { makeCode } from "../../../qr/code.ts";
import { drawFor } from "../../../qr/image.ts";
import { readUsage } from "../../../access/usage/store.ts";
import { EXPORT_IDS, toExport, type ExportedLinks, type ExportInput, type FileKind, type Subject } from "../export.ts";
import type { Export, ExportCodes, StartExport } from "./contract.ts";
import { FILE_EXPORTS, FILE_PERMISSIONS } from "../kinds.ts";
import type { RequestContext } from "../../../platform/auth/principal.ts";
import { MAX_COUNTED_EXPORT_LINKS, MAX_EXPORTED_CODES, MAX_KEPT_FILE_EXPORTS, MAX_RUNNING_EXPORTS } from "../limits.ts";

/** Starts an export of links, clicks or QR codes of the caller's account. */
export async function startExport(context: RequestContext, query: StartExport): Promise<Export> {
  requirePermissions(context.principal, FILE_PERMISSIONS[query.kind]);
  const { subject, ids } = await select(context, query);
  const input: ExportInput = { subject, country: context.country };
  const records = ids.length === 0 ? [] : toRecords(EXPORT_IDS, 0, ids);
  return toFileExport(await startJob(context, FILE_EXPORTS, { input: JSON.stringify(input), records }));
}

interface Selection {
  subject: Subject;
  /** The ids of the links, if the export names them. */
  ids: readonly string[];
}

async function select(context: RequestContext, query: StartExport): Promise<Selection> {
  if (query.kind === "clicks") {
    const { timezone = "UTC" } = query;
    const selected = await selectClicks(context, query);
    return { subject: { kind: "clicks", format: "csv", timezone, ...selected }, ids: [] };
  }
  if (query.kind === "qr") return selectCodes(context, query);
  const { kind, format = "csv", ...selection } = query;
  const { ids, ...selected } = await selectLinks(context, selection);
  return { subject: { kind, format, ...selected }, ids };
}

async function selectCodes(context: RequestContext, query: ExportCodes): Promise<Selection> {
  const {
    kind,
    format = "svg",
    level,
    foreground,
    background,
    logo,
    logoSize,
    dots,
    corners,
    frameText,
    frameColor,
    size,
    margin,
    domainStyle = true,
    ...selection
  } = query;
  const style = { level, foreground, background, logo, logoSize, dots, corners, frameText, frameColor, size, margin };
  // Throws a 400 for settings that no code can have.
  await drawFor(context, makeCode(context.baseUrl, style, format), format);
  const { ids, ...selected } = await selectLinks(context, selection);
  if (selected.total > MAX_EXPORTED_CODES)
    throw invalidField("createdAfter", "too_many_selected", { max: MAX_EXPORTED_CODES, resource: "link" });
  return { subject: { kind, format, style, domainStyle, ...selected }, ids };
}

/** The account's links that the query selects, and their number as far as it is known. */
async function selectLinks(
  context: RequestContext,
  { ids, ...query }: FilterQuery & { ids?: string[] | undefined },
): Promise<{ links: ExportedLinks; total: number; ids: readonly string[] }> {
  if (ids !== undefined) return selectListed(context, ids, query);
  const filter = await readFilter(context, query);
  return { links: filter, total: await countMatching(context, filter), ids: [] };
}

/** Throws a 400 for an id that is not that of a link of the account, and for filters. */
async function selectListed({ db, principal }: RequestContext, ids: string[], query: FilterQuery) {
  const [filter] = Object.entries(query).find(([, value]) => value !== undefined) ?? [];
  if (filter !== undefined) throw invalidField(filter, "not_together", { field: "ids" });
  const distinct = [...new Set(ids)].toSorted().toReversed();
  const found = new Set(await findListedIds(db, principal.accountId, distinct));
  const unknown = distinct.find((id) => !found.has(id));
  if (unknown !== undefined) throw invalidField("ids", "unknown", { resource: "link", value: unknown });
  return { links: null, total: distinct.length, ids: distinct };
}

async function countMatching(context: RequestContext, filter: ListFilter): Promise<number> {
  const counted = await countLinks(context, filter, MAX_COUNTED_EXPORT_LINKS + 1);
  if (counted <= MAX_COUNTED_EXPORT_LINKS) return counted;
  const { links } = await readUsage(context.db, context.principal.accountId);
  return Math.max(counted, links);
}

const LIST = "exports";

/** Returns a page of the exports whose file the caller may read, the newest first. */
export async function listExports(
  { env, principal }: RequestContext,
  query: Parameters<typeof readPage>[0],
): Promise<{ exports: Export[]; nextCursor: string | null }> {
  const page = readPage(query, LIST);
  const { after, offset, limit } = page;
  const { kind, lane } = FILE_EXPORTS;
  const kept = MAX_KEPT_FILE_EXPORTS + MAX_RUNNING_EXPORTS;
  const { jobs } = await jobRunnerOf(env, principal.accountId, lane.name).list(kind, after, kept);
  const readable = jobs.map(toFileExport).filter((state) => mayRead(principal, state.kind));
  const { items, nextCursor } = toPage(readable.slice(offset, offset + limit + 1), page, LIST, ({ id }) => id);
  return { exports: items, nextCursor };
}

function mayRead({ permissions }: RequestContext["principal"], kind: FileKind): boolean {
  return FILE_PERMISSIONS[kind].every((permission) => permissions.includes(permission));
}

/** Throws 403 for a file of another account, and without the permission to read what was exported. */
export async function getExport(context: RequestContext, id: string): Promise<Export> {
  const found = toFileExport(await getJob(context, FILE_EXPORTS, id));
  requirePermissions(context.principal, FILE_PERMISSIONS[found.kind]);
  return found;
}

/** The lane has no exports of all data. */
function toFileExport(state: JobState): Export {
  return toExport(state) as Export;
}
