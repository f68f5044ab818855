import { toTagKey } from "#src/platform/lib/tag-key.ts";
import type { BulkChanges, Link } from "../../api/types.ts";

/** A change of links, as people make it in the list. */
export type Change =
  | { kind: "archive"; archived: boolean }
  | { kind: "disable"; disabled: boolean }
  | { kind: "expire"; expiresAt: number | null }
  | { kind: "tag"; add: readonly string[]; remove: readonly string[] }
  | { kind: "move"; domain: string }
  | { kind: "delete" };

/** The fields of a link that a change of the list can have. */
export type Fields = Partial<Pick<Link, "archived" | "disabled" | "expiresAt" | "tags" | "domain">>;

/** Returns the fields that the change gives to the link; null if the link is as it would be. A deletion has none. */
export function fieldsOf(change: Exclude<Change, { kind: "delete" }>, link: Link): Fields | null {
  const fields = wantedFields(change, link);
  const differs = Object.entries(fields).some(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(link[name as keyof Link]),
  );
  return differs ? fields : null;
}

function wantedFields(change: Exclude<Change, { kind: "delete" }>, link: Link): Fields {
  switch (change.kind) {
    case "archive":
      return { archived: change.archived };
    case "disable":
      return { disabled: change.disabled };
    case "expire":
      return { expiresAt: change.expiresAt };
    case "move":
      return { domain: change.domain };
    case "tag":
    default:
      return { tags: changeTags(link.tags, change) };
  }
}

function changeTags(
  tags: readonly string[],
  { add, remove }: { add: readonly string[]; remove: readonly string[] },
): string[] {
  const kept = tags.filter((tag) => !hasTag(remove, tag));
  return [...kept, ...add.filter((tag) => !hasTag(kept, tag))];
}

export function hasTag(tags: readonly string[], tag: string): boolean {
  return tags.some((other) => toTagKey(other) === toTagKey(tag));
}

/** The values that the link has now in these fields. */
export function formerFields(link: Link, fields: Fields): Fields {
  return Object.fromEntries(Object.keys(fields).map((name) => [name, link[name as keyof Fields]]));
}

/** The link as it will probably be. The response of the service replaces it. */
export function applyFields(link: Link, fields: Fields, now = Date.now()): Link {
  const changed = { ...link, ...fields };
  const expired = changed.expiresAt !== null && changed.expiresAt <= now;
  const hasStarted = changed.startsAt === null || changed.startsAt <= now;
  if (fields.domain !== undefined) changed.shortUrl = link.shortUrl.replace(link.domain, fields.domain);
  if (fields.disabled !== undefined || fields.expiresAt !== undefined)
    changed.status = changed.disabled ? "disabled" : expired ? "expired" : hasStarted ? "active" : "scheduled";
  return changed;
}

/** The body of a bulk job. */
export function toJob(change: Change): { changes: BulkChanges } | { delete: true } {
  switch (change.kind) {
    case "archive":
      return { changes: { archived: change.archived } };
    case "disable":
      return { changes: { disabled: change.disabled } };
    case "expire":
      return { changes: { expiresAt: change.expiresAt } };
    case "move":
      return { changes: { domain: change.domain } };
    case "tag":
      return {
        changes: {
          ...(change.add.length > 0 && { addTags: [...change.add] }),
          ...(change.remove.length > 0 && { removeTags: [...change.remove] }),
        },
      };
    case "delete":
    default:
      return { delete: true };
  }
}
