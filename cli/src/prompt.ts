import { read } from "read";
import { UsageError } from "./errors.ts";
import { canAsk } from "./output/terminal.ts";

/** Asks for a line, on stderr so that stdout can be a pipe. Throws if the person presses Ctrl-C. */
export async function ask(question: string, { hidden = false } = {}): Promise<string> {
  try {
    return await read({ prompt: question, silent: hidden, input: process.stdin, output: process.stderr });
  } catch {
    throw new UsageError("Cancelled. Nothing was changed.");
  }
}

/**
 * Asks before something that cannot be undone. Where nobody can answer, the option `--yes` is needed.
 * Throws if the answer is not yes.
 */
export async function confirm(question: string, isConfirmed: boolean): Promise<void> {
  if (isConfirmed) return;
  if (!canAsk()) throw new UsageError(`${question} Nobody can answer here: add --yes.`);
  const answer = await ask(`${question} [y/N] `);
  if (!/^y(es)?$/i.test(answer.trim())) throw new UsageError("Cancelled. Nothing was changed.");
}

/** Reads all of stdin. */
export async function readStdin(): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
