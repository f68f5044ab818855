import { UsageError } from "../errors.ts";
import { readPrivateFile, writePrivateFile } from "./private-file.ts";

const FILE = "config.json";

export const DEFAULT_PROFILE = "default";

/** A service and the key of an account there. */
export interface Profile {
  baseUrl: string;
  apiKey: string;
}

/** Returns the stored profiles by their names. */
export function readProfiles(): Map<string, Profile> {
  const content = readPrivateFile(FILE) ?? { profiles: {} };
  const { profiles } = content as { profiles?: unknown };
  if (typeof profiles !== "object" || profiles === null)
    throw new UsageError(`${FILE} has no "profiles". Log in again.`);
  return new Map(Object.entries(profiles as Record<string, Profile>));
}

export function storeProfile(name: string, profile: Profile): void {
  const profiles = readProfiles().set(name, profile);
  writePrivateFile(FILE, { profiles: Object.fromEntries(profiles) });
}

/** Returns whether there was such a profile. */
export function deleteProfile(name: string): boolean {
  const profiles = readProfiles();
  const existed = profiles.delete(name);
  if (existed) writePrivateFile(FILE, { profiles: Object.fromEntries(profiles) });
  return existed;
}
