import { selectClicks } from "../analytics/read-clicks.ts";
import { requirePermissions } from "../auth/require-permissions.ts";
import { invalidRequest } from "../http/errors.ts";
import { readPage, toPage } from "../http/pagination.ts";
import { toFilter } from "../links/list.ts";
import type { FilterQuery } from "../links/list-contract.ts";
import { countLinks, type ListFilter } from "../links/store/list.ts";
import { findListedIds } from "../links/store/selected-links.ts";
import { makeCode } from "../qr/code.ts";
import { readUsage } from "../usage/store.ts";
import { exporterOf } from "./client.ts";
import type { ExportedLinks, ExportState, FileKind, Starter, Subject } from "./export.ts";
import type { Export, ExportCodes, StartExport } from "./file-contract.ts";
import { FILE_PERMISSIONS } from "./kinds.ts";
import { requireExport, requireStarted } from "./outcome.ts";
import type { RequestContext } from "../auth/principal.ts";
import { MAX_COUNTED_EXPORT_LINKS, MAX_EXPORTED_CODES } from "./limits.ts";

/** Starts an export of links, clicks or QR codes of the caller's account. */
export async function startExport(context: RequestContext, query: StartExport): Promise<Export> {
  const { env, principal, country, baseUrl } = context;
  requirePermissions(principal, FILE_PERMISSIONS[query.kind]);
  const subject = await toSubject(context, query);
  const { accountId } = principal;
  const request = { ...subject, accountId, starter: starterOf(principal), country, baseUrl };
  return toExport(requireStarted(query.kind, await exporterOf(env, accountId, "files").start(request)));
}

function starterOf(principal: RequestContext["principal"]): Starter {
  return principal.type === "key"
    ? { type: "key", id: principal.keyId }
    : { type: "user", id: principal.user.id, email: principal.user.email };
}

async function toSubject(context: RequestContext, query: StartExport): Promise<Subject> {
  if (query.kind === "clicks") {
    const { timezone = "UTC" } = query;
    return { kind: "clicks", format: "csv", timezone, ...(await selectClicks(context, query)) };
  }
  if (query.kind === "qr") return toCodes(context, query);
  const { kind, format = "csv", ...selection } = query;
  return { kind, format, ...(await selectLinks(context, selection)) };
}

async function toCodes(context: RequestContext, query: ExportCodes): Promise<Subject> {
  const { kind, format = "svg", level, foreground, background, logo, size, margin, ...selection } = query;
  const style = { level, foreground, background, logo, size, margin };
  // Throws a 400 for settings that no code can have.
  makeCode(context.baseUrl, style, format);
  const selected = await selectLinks(context, selection);
  if (selected.total > MAX_EXPORTED_CODES) {
    const message = `must select fewer links: a ZIP file has at most ${MAX_EXPORTED_CODES} QR codes`;
    throw invalidRequest([{ path: "createdAfter", message }]);
  }
  return { kind, format, style, ...selected };
}

/** The account's links that the query selects, and their number as far as it is known. */
async function selectLinks(
  context: RequestContext,
  { ids, ...query }: FilterQuery & { ids?: string[] | undefined },
): Promise<{ links: ExportedLinks; total: number }> {
  if (ids !== undefined) return selectListed(context, ids, query);
  const filter = toFilter(query, context.baseUrl);
  return { links: { filter }, total: await countMatching(context, filter) };
}

/** Throws a 400 for an id that is not that of a link of the account, and for filters. */
async function selectListed({ env, principal }: RequestContext, ids: string[], query: FilterQuery) {
  const [filter] = Object.entries(query).find(([, value]) => value !== undefined) ?? [];
  if (filter !== undefined) throw invalidRequest([{ path: filter, message: "must not be used together with ids" }]);
  const distinct = [...new Set(ids)].toSorted().toReversed();
  const found = new Set(await findListedIds(env.DB, principal.accountId, distinct));
  const unknown = distinct.find((id) => !found.has(id));
  if (unknown !== undefined)
    throw invalidRequest([{ path: "ids", message: `must be links of the account; ${unknown} is none` }]);
  return { links: { ids: distinct }, total: distinct.length };
}

async function countMatching(context: RequestContext, filter: ListFilter): Promise<number> {
  const counted = await countLinks(context, filter, MAX_COUNTED_EXPORT_LINKS + 1);
  if (counted <= MAX_COUNTED_EXPORT_LINKS) return counted;
  const { links } = await readUsage(context.env.DB, context.principal.accountId);
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
  const states = await exporterOf(env, principal.accountId, "files").list();
  const readable = states.map(toExport).filter(({ kind }) => mayRead(principal, kind));
  const following = readable.filter(({ id }) => after === null || id < after);
  const { items, nextCursor } = toPage(following.slice(offset, offset + limit + 1), page, LIST, ({ id }) => id);
  return { exports: items, nextCursor };
}

function mayRead({ permissions }: RequestContext["principal"], kind: FileKind): boolean {
  return FILE_PERMISSIONS[kind].every((permission) => permissions.includes(permission));
}

/** Throws 404 for an id of another account, too, and 403 without the permission to read what was exported. */
export async function getExport({ env, principal }: RequestContext, id: string): Promise<Export> {
  const found = toExport(await requireExport(exporterOf(env, principal.accountId, "files"), id));
  requirePermissions(principal, FILE_PERMISSIONS[found.kind]);
  return found;
}

/** This Exporter has no exports of all data. */
function toExport(state: ExportState): Export {
  return state as Export;
}
