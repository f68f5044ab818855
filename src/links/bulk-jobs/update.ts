import type { AccountContext } from "../../platform/context.ts";
import type { LinkColumns, LinkRow } from "../store/row.ts";
import { changesTags, toTagColumns, type TagChanges } from "../tag-changes.ts";
import { toSettings } from "../decide.ts";
import { updateLinks } from "../update.ts";
import type { LinkRequest } from "../validate.ts";
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

/** Makes the same change to each link. `tags` are added to and removed from its own. */
export function update(accountId: number, request: LinkRequest, tags: TagChanges): Operation {
  const hasTags = changesTags(tags);
  const columns = changedColumns(request, hasTags);
  return {
    prepare(_id, found) {
      const row = preparePresent(found, accountId);
      if (row instanceof Error) return row;
      const own = hasTags ? toTagColumns(row, tags) : {};
      if (own instanceof Error) return own;
      return { version: row.updated_at, deletedAt: null, before: pick(row, columns) };
    },
    isDone: isChanged,
    apply: (context, entries) => apply(context, entries, request, { tags }),
  };
}

/** Gives each link the columns of `before` back. */
export function reversion(accountId: number, before: ReadonlyMap<string, Columns | null>): Operation {
  const columnsById = new Map(Array.from(before, ([id, columns]) => [id, columns ?? {}] as const));
  const request = { fields: {}, domain: undefined, hosts: [], errors: [] };
  return {
    prepare(_id, found) {
      const row = preparePresent(found, accountId);
      return row instanceof Error ? row : { version: row.updated_at, deletedAt: null, before: null };
    },
    isDone: isChanged,
    apply: (context, entries) => apply(context, entries, request, { columnsById }),
  };
}

/** The columns that the request changes. */
function changedColumns({ fields, domain }: LinkRequest, hasTags: boolean): (keyof LinkColumns)[] {
  const columns = new Set(Object.keys(toSettings(fields, domain)) as (keyof LinkColumns)[]);
  const add = (...names: (keyof LinkColumns)[]) => names.forEach((name) => columns.add(name));
  if (fields.utm !== undefined) add("url", "url_hash");
  if (fields.password !== undefined) add("password_hash");
  if (hasTags) add("tags", "tag_keys");
  return [...columns];
}

async function apply(
  context: AccountContext,
  entries: readonly PreparedEntry[],
  request: LinkRequest,
  own: { tags?: TagChanges; columnsById?: ReadonlyMap<string, Columns> },
): Promise<Map<string, Result>> {
  const versions = versionsOf(entries);
  const { outcomes } = await updateLinks(context, idsOf(entries), request, { versions, ...own });
  const results = Array.from(outcomes, ([id, outcome]): [string, Result] => {
    const isUnchanged = outcome.ok && outcome.row.updated_at === versions.get(id);
    return [id, isUnchanged ? "unchanged" : toResult(outcome)];
  });
  return new Map(results);
}

function pick(row: LinkRow, columns: readonly (keyof LinkColumns)[]): Columns {
  return Object.fromEntries(columns.map((column) => [column, row[column]]));
}
