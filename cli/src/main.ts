#!/usr/bin/env node
import { COMPLETE, completeWords } from "./commands/completion.ts";
import { ignoreClosedPipe, print } from "./output/terminal.ts";
import { createProgram } from "./program.ts";
import { reportError } from "./report-error.ts";

ignoreClosedPipe();
const words = process.argv.slice(2);
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
    process.exitCode = reportError(error, isJson);
  }
}
