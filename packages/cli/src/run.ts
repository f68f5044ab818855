import { COMPLETE, completeWords } from "./commands/completion.ts";
import { EXIT } from "./errors.ts";
import { print } from "./output/terminal.ts";
import { createProgram } from "./program.ts";
import { reportError } from "./report-error.ts";

/** Runs the command with the words after `tern`, and returns its exit code. */
export async function run(words: string[]): Promise<number> {
  const isJson = words.includes("--json");
  const program = createProgram(isJson);
  if (words[0] === COMPLETE) {
    for (const line of completeWords(program, words.slice(1))) print(line);
  } else if (words.length === 0) {
    program.outputHelp();
  } else {
    try {
      await program.parseAsync(words, { from: "user" });
    } catch (error) {
      return reportError(error, isJson);
    }
  }
  return EXIT.done;
}
