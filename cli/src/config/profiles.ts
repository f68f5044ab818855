import { UsageError } from "../errors.ts";
import { changePrivateFile, readPrivateFile } from "./private-file.ts";

const FILE = "config.json";

export const DEFAULT_PROFILE = "default";

/** A service and the key of an account there. */
export interface Profile {
  baseUrl: string;
  apiKey: string;
}

/** Returns the stored profiles by their names. */
export function readProfiles(): Map<string, Profile> {
  return parseProfiles(readPrivateFile(FILE));
}

export async function storeProfile(name: string, profile: Profile): Promise<void> {
  await changePrivateFile(FILE, (content) => format(parseProfiles(content).set(name, profile)));
}

/** Returns whether there was such a profile. */
export async function deleteProfile(name: string): Promise<boolean> {
  let existed = false;
  await changePrivateFile(FILE, (content) => {
    const profiles = parseProfiles(content);
    existed = profiles.delete(name);
    return existed ? format(profiles) : undefined;
  });
  return existed;
}

function parseProfiles(content: unknown): Map<string, Profile> {
  const { profiles } = (content ?? { profiles: {} }) as { profiles?: unknown };
  if (typeof profiles !== "object" || profiles === null)
    throw new UsageError(`${FILE} has no "profiles". Log in again.`);
  return new Map(Object.entries(profiles as Record<string, Profile>));
}

const format = (profiles: Map<string, Profile>): object => ({ profiles: Object.fromEntries(profiles) });
