#!/usr/bin/env node
import { COMPLETE, completeWords } from "./commands/completion.ts";
import { endOnClosedPipe, print } from "./output/terminal.ts";
import { createProgram } from "./program.ts";
import { reportError } from "./report-error.ts";

endOnClosedPipe();
const words = process.argv.slice(2);
const program = createProgram();

if (words[0] === COMPLETE) {
  for (const line of completeWords(program, words.slice(1))) print(line);
} else if (words.length === 0) {
  program.outputHelp();
} else {
  try {
    await program.parseAsync(words, { from: "user" });
  } catch (error) {
    process.exitCode = reportError(error, words.includes("--json"));
  }
}
