import { readFileSync } from "node:fs";
import { chmod, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { UsageError } from "../errors.ts";
import { withLock } from "./file-lock.ts";
import { configFolder, OWNER_ONLY_FILE } from "./folder.ts";

/** Windows cannot replace a file while another process, such as a virus scanner, has it open. */
const REPLACEMENT_ATTEMPTS = 10;
const REPLACEMENT_PAUSE_MS = 50;

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
 * Changes the JSON in a file of the configuration folder that only its owner can read (mode 600). `change` gets what
 * {@link readPrivateFile} returns, and returns the new content, or `undefined` to leave the file as it is. Processes change
 * a file one after the other. A reader sees the former or the new content, never a part of it.
 */
export async function changePrivateFile(name: string, change: (content: unknown) => unknown): Promise<void> {
  const path = join(configFolder(), name);
  await withLock(`${path}.lock`, async () => {
    const content = await change(readPrivateFile(name));
    if (content !== undefined) await replaceFile(path, `${JSON.stringify(content, null, 2)}\n`);
  });
}

async function replaceFile(path: string, text: string): Promise<void> {
  const draft = `${path}.draft`;
  try {
    await writeFile(draft, text, { mode: OWNER_ONLY_FILE });
    // The umask may have taken the owner's permissions away, and a draft of a former run keeps its mode.
    await chmod(draft, OWNER_ONLY_FILE);
    await renameOpenFile(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw new UsageError(`${path} cannot be written: ${(error as Error).message}`);
  }
}

async function renameOpenFile(from: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await rename(from, to);
    } catch (error) {
      const isOpen = ["EPERM", "EBUSY", "EACCES"].includes((error as NodeJS.ErrnoException).code ?? "");
      if (!isOpen || attempt === REPLACEMENT_ATTEMPTS) throw error;
      await pause(REPLACEMENT_PAUSE_MS);
    }
  }
}
