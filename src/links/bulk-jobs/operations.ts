import type { AccountContext } from "../../platform/context.ts";
import { mapLimit } from "../../platform/lib/map-limit.ts";
import { DELETED_LINK_KEPT_MS } from "../../limits.ts";
import { deleteLinks } from "../delete.ts";
import { refuse, type LinkOutcome } from "../refusal.ts";
import { tryRestoreLink } from "../restore.ts";
import { parseDeletedLink, type DeletedLink } from "../store/deleted-links.ts";
import type { LinkColumns, LinkRow } from "../store/row.ts";
import { MAX_CONCURRENT_RESTORES } from "./limits.ts";

/** A change of one link that is about to be made, as it is stored before. */
export interface Entry {
  id: string;
  /** `updatedAt` of the link that is changed. Another version is not. */
  version: number;
  /** When the link was deleted; null: it is not. */
  deletedAt: number | null;
  /** The times of the attempts. One of them made the change, or none. */
  at: number[];
  /** The columns that the change sets, as they were before. Null for deleting and restoring. */
  before: Partial<LinkColumns> | null;
}

/** A link as it is now. Both are undefined if it does not exist any more. */
export interface FoundLink {
  present: LinkRow | undefined;
  deleted: DeletedLink | undefined;
}

/** What became of a link. `stale`: it was changed since it was read. An error says why it was refused. */
export type Result = "changed" | "unchanged" | "stale" | Error;

export interface Operation {
  /** The change of a link as it is now, without the attempts. */
  prepare(id: string, found: FoundLink, now: number): Omit<Entry, "id" | "at"> | "unchanged" | Error;
  /** Whether one of the attempts made this change, and nothing has changed the link since. */
  isDone(entry: Entry, found: FoundLink): boolean;
  /** Changes the links that still have the versions of their entries. Each entry has `context.now` as its last attempt. */
  apply(context: AccountContext, entries: readonly PreparedEntry[]): Promise<Map<string, Result>>;
}

export interface PreparedEntry extends Entry {
  found: FoundLink;
}

/** The versions that a change of settings may have given the link: as in src/links/update.ts. */
function isChangedVersion({ at, version }: Entry, present: number): boolean {
  return at.some((time) => Math.max(time, version + 1) === present);
}

/** The versions that a restoration may have given the link: as in src/links/store/restore.ts. */
function isRestoredVersion({ at, version, deletedAt }: Entry, present: number): boolean {
  return at.some((time) => Math.max(time, (deletedAt ?? 0) + 1, version + 2) === present);
}

/** Returns what is done with a link that is there: `prepare` of changing and deleting. */
export function preparePresent({ present, deleted }: FoundLink, accountId: number): LinkRow | Error {
  const owner = (present ?? deleted)?.account_id;
  if (owner !== undefined && owner !== accountId) return refuse("forbidden").error;
  return present ?? refuse("not_found").error;
}

export const isChanged: Operation["isDone"] = (entry, { present }) =>
  present !== undefined && isChangedVersion(entry, present.updated_at);

export function deletion(accountId: number): Operation {
  return {
    prepare(_id, found) {
      const row = preparePresent(found, accountId);
      return row instanceof Error ? row : { version: row.updated_at, deletedAt: null, before: null };
    },
    isDone: ({ at, version }, { present, deleted }) =>
      present === undefined &&
      deleted !== undefined &&
      at.includes(deleted.deleted_at) &&
      parseDeletedLink(deleted).updated_at === version,
    async apply(context, entries) {
      const outcomes = await deleteLinks(context, idsOf(entries), versionsOf(entries));
      return new Map(entries.map(({ id }) => [id, toResult(outcomes.get(id) ?? refuse("precondition_failed"))]));
    },
  };
}

export function restoration(accountId: number): Operation {
  return {
    prepare(_id, { present, deleted }, now) {
      const found = present ?? deleted;
      if (found === undefined) return refuse("not_found").error;
      if (found.account_id !== accountId) return refuse("forbidden").error;
      if (deleted === undefined || present !== undefined) return "unchanged";
      const { deleted_at: deletedAt } = deleted;
      if (deletedAt + DELETED_LINK_KEPT_MS <= now) return refuse("not_found").error;
      return { version: parseDeletedLink(deleted).updated_at, deletedAt, before: null };
    },
    isDone: (entry, { present }) => present !== undefined && isRestoredVersion(entry, present.updated_at),
    async apply(context, entries) {
      const results = new Map<string, Result>();
      await mapLimit(entries, MAX_CONCURRENT_RESTORES, async (entry) => {
        const outcome = await tryRestoreLink(context, entry.id);
        const isOther = outcome.ok && !isRestoredVersion(entry, outcome.row.updated_at);
        results.set(entry.id, isOther ? "stale" : toResult(outcome));
      });
      return results;
    },
  };
}

/** The result for a link that was to be changed. */
export function toResult(outcome: LinkOutcome): Result {
  if (outcome.ok) return "changed";
  const { reason, error } = outcome;
  return reason === "precondition_failed" || reason === "changed_concurrently" ? "stale" : error;
}

export function idsOf(entries: readonly Pick<Entry, "id">[]): string[] {
  return entries.map(({ id }) => id);
}

export function versionsOf(entries: readonly Entry[]): Map<string, number> {
  return new Map(entries.map(({ id, version }) => [id, version]));
}
