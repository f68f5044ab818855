import type { Parameters } from "../../database/parameters.ts";
import type { RequiredVersions } from "../../http/if-match.ts";

/** An SQL condition: the link `l` has one of the versions. `updated_at` increases with every change of a setting. */
export function hasVersion(versions: RequiredVersions, parameters: Parameters): string {
  if (versions === null) return "true";
  return `l.updated_at IN (SELECT value FROM json_each(${parameters.add(JSON.stringify(versions))}))`;
}
