import { accessSync, constants, existsSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Command } from "commander";
import { UsageError } from "../errors.ts";

export interface FileOptions {
  /** Whether an existing file may be replaced. */
  force?: boolean;
}

export const addForce = (command: Command, option: string): Command =>
  command.option("--force", `let ${option} replace a file that exists`);

/**
 * Throws if a file cannot be written, or exists and may not be replaced. Commands call it before they do something whose
 * result would be lost.
 */
export function checkOutput(file: string, { force }: FileOptions): void {
  try {
    if (!existsSync(file)) accessSync(dirname(file), constants.W_OK);
    else if (isFile(file) && force !== true) {
      throw new UsageError(`${file} exists. Name another file, or add --force to replace it.`);
    } else accessSync(file, constants.W_OK);
  } catch (error) {
    throw error instanceof UsageError ? error : cannotWrite(file, error);
  }
  if (existsSync(file) && statSync(file).isDirectory()) throw new UsageError(`${file} is a folder. Name a file in it.`);
}

/** Whether it is a file, and no device, pipe or folder. Throws if it does not exist. */
export const isFile = (path: string): boolean => statSync(path).isFile();

export function writeOutput(file: string, bytes: Uint8Array): void {
  try {
    writeFileSync(file, bytes);
  } catch (error) {
    throw cannotWrite(file, error);
  }
}

export const cannotWrite = (file: string, error: unknown): UsageError =>
  new UsageError(`${file} cannot be written: ${(error as Error).message}`);
