import { hasFlag } from "./options.ts";

/** An error for the person at the terminal, who sees its message and no stack trace. */
export class Failure extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** A number with its noun, whose plural ends in "s". */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** The exit code of a command with wrong arguments. */
export const WRONG_USAGE = 2;

/** Runs a command with this process's arguments, or prints its help; prints a {@link Failure} and sets its exit code. */
export async function runCommand(command: (args: string[]) => Promise<void>, usage?: string): Promise<void> {
  const args = process.argv.slice(2);
  if (usage !== undefined && hasFlag(args, "--help", "-h")) {
    console.log(usage);
    return;
  }
  try {
    await command(args);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    console.error(error.message);
    process.exitCode = error.exitCode;
  }
}
