import { homedir } from "node:os";
import { join } from "node:path";

/** Modes of what is in the configuration folder: it has secrets. */
export const OWNER_ONLY_FILE = 0o600;
export const OWNER_ONLY_FOLDER = 0o700;

/** Variables of the environment. */
export type Variables = Record<string, string | undefined>;

/**
 * Returns the folder of Tern's settings: `$XDG_CONFIG_HOME/tern` if that variable is set, on every system; else the
 * system's own place for settings.
 */
export function configFolder(env: Variables = process.env, platform: NodeJS.Platform = process.platform): string {
  if (env["XDG_CONFIG_HOME"]) return join(env["XDG_CONFIG_HOME"], "tern");
  if (platform === "win32") return join(env["APPDATA"] || join(homedir(), "AppData", "Roaming"), "tern");
  if (platform === "darwin") return join(homedir(), "Library", "Application Support", "tern");
  return join(homedir(), ".config", "tern");
}
