import { readFileSync } from "node:fs";
import { UsageError } from "./errors.ts";

/** Reads a file that an option names. Throws a usage error if it cannot be read. */
export function readInputFile(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  }
}
