import { read } from "read";
import { RefusedError, UsageError } from "./errors.ts";
import { canAsk } from "./output/terminal.ts";
import { escapeUnsafe } from "./output/text.ts";

/** Asks for a line, on stderr so that stdout can be a pipe. Throws if the person presses Ctrl-C or Ctrl-D. */
export async function ask(question: string, { hidden = false } = {}): Promise<string> {
  const prompt = escapeUnsafe(question);
  try {
    return await new Promise((resolve, reject) => {
      // After Ctrl-D, `read` never settles, and nothing is left to do.
      process.once("beforeExit", reject);
      void read({ prompt, silent: hidden, input: process.stdin, output: process.stderr }).then(resolve, reject);
    });
  } catch {
    process.stderr.write("\n");
    throw new RefusedError(CANCELLED);
  }
}

const CANCELLED = "Cancelled. Nothing was changed.";

/**
 * Asks before something that cannot be undone. Where nobody can answer, the option `--yes` is needed.
 * Throws if the answer is not yes.
 */
export async function confirm(question: string, isConfirmed: boolean): Promise<void> {
  if (isConfirmed) return;
  if (!canAsk()) throw new UsageError(`${question} Nobody can answer here: add --yes.`);
  const answer = await ask(`${question} [y/N] `);
  if (!/^y(es)?$/i.test(answer.trim())) throw new RefusedError(CANCELLED);
}

/** Reads all of stdin. */
export async function readStdin(): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
