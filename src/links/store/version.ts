import type { Parameters } from "../../database/parameters.ts";
import type { RequiredVersions } from "../../http/if-match.ts";
import type { LinkRow } from "./row.ts";

/** A link is changed only if it has one of these versions, or the one that stands at its id. */
export type LinkVersions = RequiredVersions | ReadonlyMap<string, number>;

/** An SQL condition: the link `l` has one of the versions. `updated_at` increases with every change of a setting. */
export function hasVersion(versions: LinkVersions, parameters: Parameters): string {
  if (versions === null) return "true";
  if ("get" in versions) {
    const byId = JSON.stringify(Object.fromEntries(versions));
    return `l.updated_at IS (${parameters.add(byId)} ->> l.id)`;
  }
  return `l.updated_at IN (SELECT value FROM json_each(${parameters.add(JSON.stringify(versions))}))`;
}

/** As {@link hasVersion}, for a row. */
export function isOfVersion({ id, updated_at: version }: LinkRow, versions: LinkVersions): boolean {
  if (versions === null) return true;
  return "get" in versions ? versions.get(id) === version : versions.includes(version);
}
