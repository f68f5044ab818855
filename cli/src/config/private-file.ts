import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "../errors.ts";
import { configFolder } from "./folder.ts";

const OWNER_ONLY_FILE = 0o600;
const OWNER_ONLY_FOLDER = 0o700;

/** Returns the parsed JSON of a file in the configuration folder, or `undefined` if it does not exist. */
export function readPrivateFile(name: string): unknown {
  const path = join(configFolder(), name);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new UsageError(`${path} cannot be read: ${(error as Error).message}`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`${path} is not valid JSON. Correct it, or delete it and log in again.`);
  }
}

/**
 * Writes JSON into a file of the configuration folder that only its owner can read (mode 600). A reader sees the former
 * or the new content, never a part of it.
 */
export function writePrivateFile(name: string, content: unknown): void {
  const folder = configFolder();
  const path = join(folder, name);
  const draft = `${path}.${process.pid}`;
  try {
    mkdirSync(folder, { recursive: true, mode: OWNER_ONLY_FOLDER });
    writeFileSync(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: OWNER_ONLY_FILE });
    // The umask may have taken the owner's permissions away, and a draft of a former run keeps its mode.
    chmodSync(draft, OWNER_ONLY_FILE);
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw new UsageError(`${path} cannot be written: ${(error as Error).message}`);
  }
}
