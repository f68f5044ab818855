import type { RequestContext } from "../auth/principal.ts";
import { isId } from "../lib/uuid.ts";
import { MAX_CHANGE_ATTEMPTS } from "../limits.ts";
import { refuse, type LinkOutcome } from "./refusal.ts";
import { findLinks } from "./store/links.ts";
import type { LinkColumns } from "./store/row.ts";
import type { ColumnsById } from "./store/update-sql.ts";
import { toTagColumns, type TagChanges } from "./tag-changes.ts";
import { updateLinks } from "./update.ts";
import type { LinkRequest } from "./validate.ts";

/**
 * Makes the same change to the account's links, which each keep the tags that it does not name. The new tags are made from
 * those that a link has, so a link that changes meanwhile is read again. Returns what {@link updateLinks} returns.
 */
export async function updateWithTags(
  context: RequestContext,
  ids: readonly string[],
  request: LinkRequest,
  tags: TagChanges,
): Promise<{ outcomes: Map<string, LinkOutcome>; verifiedHosts: ReadonlySet<string> }> {
  const outcomes = new Map<string, LinkOutcome>();
  let verifiedHosts: ReadonlySet<string> = new Set();
  let pending = [...new Set(ids)].filter(isId);
  for (let attempt = 1; attempt <= MAX_CHANGE_ATTEMPTS && pending.length > 0; attempt++) {
    const { values, versions, refused } = await readTags(context, pending, tags);
    for (const [id, outcome] of refused) outcomes.set(id, outcome);
    pending = [...values.keys()];
    if (pending.length === 0) break;
    const columnsById: ColumnsById = { columns: ["tags", "tag_keys"], values };
    const result = await updateLinks(context, pending, request, { columnsById, versions });
    ({ verifiedHosts } = result);
    for (const [id, outcome] of result.outcomes)
      if (outcome.ok || outcome.reason !== "precondition_failed") outcomes.set(id, outcome);
    pending = pending.filter((id) => !outcomes.has(id));
  }
  for (const id of pending) outcomes.set(id, refuse("changed_concurrently"));
  return { outcomes, verifiedHosts };
}

/** Reads the account's links. Returns by id the columns with their new tags, and their versions; and which are refused. */
async function readTags({ db, principal }: RequestContext, ids: readonly string[], tags: TagChanges) {
  const rows = new Map((await findLinks(db, ids)).map((row) => [row.id, row]));
  const values = new Map<string, Partial<LinkColumns>>();
  const versions = new Map<string, number>();
  const refused = new Map<string, LinkOutcome>();
  for (const id of ids) {
    const row = rows.get(id);
    const columns = row && toTagColumns(row, tags);
    if (row === undefined || columns === undefined) refused.set(id, refuse("not_found"));
    else if (row.account_id !== principal.accountId) refused.set(id, refuse("forbidden"));
    else if (columns instanceof Error) refused.set(id, { ok: false, reason: "invalid", error: columns });
    else {
      values.set(id, columns);
      versions.set(id, row.updated_at);
    }
  }
  return { values, versions, refused };
}
