import type { RequiredVersions } from "../../platform/http/if-match.ts";
import type { LinkRow } from "./row.ts";

/** A link is changed only if it has one of these versions, or the one that stands at its id. */
export type LinkVersions = RequiredVersions | ReadonlyMap<string, number>;

/** Whether the link has one of the versions. `updated_at` increases with every change of a setting. */
export function isOfVersion({ id, updated_at: version }: LinkRow, versions: LinkVersions): boolean {
  if (versions === null) return true;
  return "get" in versions ? versions.get(id) === version : versions.includes(version);
}
