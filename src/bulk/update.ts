import type { AccountContext } from "../context.ts";
import { MAX_SQL_TEXT_BYTES } from "../limits.ts";
import { refuse } from "../links/refusal.ts";
import type { ColumnsById } from "../links/store/update-sql.ts";
import type { LinkColumns, LinkRow } from "../links/store/row.ts";
import { changesTags, toTagColumns, type TagChanges } from "../links/tag-changes.ts";
import { toUpdateColumns, updateLinks } from "../links/update.ts";
import type { LinkRequest } from "../links/validate.ts";
import {
  idsOf,
  isChanged,
  preparePresent,
  toResult,
  versionsOf,
  type Operation,
  type PreparedEntry,
  type Result,
} from "./operations.ts";

type Columns = Partial<LinkColumns>;

/** A link's id as the name of a JSON member. */
const ID_BYTES = 40;

/** Makes the same change to each link. `tags` are added to and removed from its own. */
export function update(accountId: number, request: LinkRequest, tags: TagChanges): Operation {
  const hasTags = changesTags(tags);
  const columns = changedColumns(request, hasTags);
  const ownColumns = (row: LinkRow) => (hasTags ? toTagColumns(row, tags) : {});
  return {
    prepare(_id, found) {
      const row = preparePresent(found, accountId);
      if (row instanceof Error) return row;
      const own = ownColumns(row);
      if (own instanceof Error) return own;
      return { version: row.updated_at, deletedAt: null, before: pick(row, columns) };
    },
    isDone: isChanged,
    apply: (context, entries) =>
      applyColumns(context, entries, request, (row) => {
        const own = ownColumns(row);
        if (own instanceof Error) throw own;
        return own;
      }),
  };
}

/** Gives each link the columns of `before` back. */
export function reversion(accountId: number, before: ReadonlyMap<string, Columns | null>): Operation {
  const request = { fields: {}, domain: undefined, hosts: [], errors: [] };
  return {
    prepare(_id, found) {
      const row = preparePresent(found, accountId);
      return row instanceof Error ? row : { version: row.updated_at, deletedAt: null, before: null };
    },
    isDone: isChanged,
    apply: (context, entries) => applyColumns(context, entries, request, (row) => before.get(row.id) ?? {}),
  };
}

/** The columns that the request changes. */
function changedColumns({ fields, domain }: LinkRequest, hasTags: boolean): (keyof LinkColumns)[] {
  const columns = new Set(Object.keys(toUpdateColumns(fields, domain)) as (keyof LinkColumns)[]);
  const add = (...names: (keyof LinkColumns)[]) => names.forEach((name) => columns.add(name));
  if (fields.utm !== undefined) add("url", "url_hash");
  if (fields.password !== undefined) add("password_hash");
  if (hasTags) add("tags", "tag_keys");
  return [...columns];
}

/** Sets the columns of the request, and for each link those of `ownColumns`. */
async function applyColumns(
  context: AccountContext,
  entries: readonly PreparedEntry[],
  request: LinkRequest,
  ownColumns: (row: LinkRow) => Columns,
): Promise<Map<string, Result>> {
  const results = new Map<string, Result>();
  const own = new Map(entries.map((entry) => [entry.id, ownColumns(rowOf(entry))]));
  const targetOf = (entry: PreparedEntry) => {
    const row = rowOf(entry);
    return { domain: own.get(entry.id)?.domain ?? request.domain ?? row.domain, slug: row.slug };
  };
  for (const group of toGroups(entries, targetOf, own)) {
    const isMove = group.some((entry) => targetOf(entry).domain !== rowOf(entry).domain);
    const { outcomes } = await updateLinks(context, idsOf(group), request, {
      versions: versionsOf(group),
      columnsById: toColumnsById(group, own),
      shortUrls: isMove ? group.map(targetOf) : null,
    });
    for (const { id, version } of group) {
      const outcome = outcomes.get(id) ?? refuse("not_found");
      results.set(id, outcome.ok && outcome.row.updated_at === version ? "unchanged" : toResult(outcome));
    }
  }
  return results;
}

/** A column that only some of the links get keeps its value in the others. */
function toColumnsById(entries: readonly PreparedEntry[], own: ReadonlyMap<string, Columns>): ColumnsById | null {
  const names = new Set(entries.flatMap(({ id }) => Object.keys(own.get(id) ?? {}) as (keyof LinkColumns)[]));
  if (names.size === 0) return null;
  const columns = [...names];
  const values = entries.map((entry) => [entry.id, { ...pick(rowOf(entry), columns), ...own.get(entry.id) }] as const);
  return { columns, values: new Map(values) };
}

/** Splits the links, so that no two of a group would get the same short URL, and their own values fit into a statement. */
function toGroups(
  entries: readonly PreparedEntry[],
  targetOf: (entry: PreparedEntry) => { domain: string; slug: string },
  own: ReadonlyMap<string, Columns>,
): PreparedEntry[][] {
  const groups: { entries: PreparedEntry[]; taken: Set<string>; bytes: number }[] = [];
  for (const entry of entries) {
    const { domain, slug } = targetOf(entry);
    const key = `${domain}/${slug.toLowerCase()}`;
    const size = new TextEncoder().encode(JSON.stringify(own.get(entry.id))).byteLength + ID_BYTES;
    let group = groups.find(({ taken, bytes }) => !taken.has(key) && bytes + size <= MAX_SQL_TEXT_BYTES);
    if (group === undefined) groups.push((group = { entries: [], taken: new Set(), bytes: 0 }));
    group.bytes += size;
    group.entries.push(entry);
    group.taken.add(key);
  }
  return groups.map((group) => group.entries);
}

function rowOf({ id, found }: PreparedEntry): LinkRow {
  if (found.present === undefined) throw new Error(`the link ${id} is not there`);
  return found.present;
}

function pick(row: LinkRow, columns: readonly (keyof LinkColumns)[]): Columns {
  return Object.fromEntries(columns.map((column) => [column, row[column]]));
}
