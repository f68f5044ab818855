import { chmod, readFile, writeFile } from "node:fs/promises";

/** Returns the text of the file, or "" if there is no file. */
export async function readOrEmpty(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}

/** Writes a file that only its owner can read. */
export async function writePrivateFile(file: string, text: string): Promise<void> {
  await writeFile(file, text, { mode: 0o600 });
  // The mode above applies to a new file only.
  await chmod(file, 0o600);
}
