/** An end that the person at the terminal can understand: the message is all they see, no stack. */
export class Failure extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** The exit code for a command that was called in the wrong way. */
export const WRONG_USAGE = 2;

/** Runs a command; a {@link Failure} becomes its message and exit code. */
export async function runCommand(command: (args: string[]) => Promise<void>): Promise<void> {
  try {
    await command(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    console.error(error.message);
    process.exitCode = error.exitCode;
  }
}
