// Prints each failed test in vitest's JSON reports with the beginning of its error, so that the end of a log names them.
// A suite that was ended has no report.
import { existsSync, readFileSync } from "node:fs";
import { relative } from "node:path";

const MAX_ERROR_CHARS = 600;

for (const path of process.argv.slice(2).filter(existsSync)) {
  for (const file of JSON.parse(readFileSync(path, "utf8")).testResults) {
    const name = relative(process.cwd(), file.name);
    const failed = file.assertionResults.filter((test) => test.status === "failed");
    if (failed.length === 0 && file.status === "failed") console.log(`== failed: ${name}: ${shorten(file.message)}`);
    for (const test of failed) console.log(`== failed: ${name}: ${test.fullName}\n${shorten(test.failureMessages[0])}`);
  }
}

function shorten(message = "") {
  return message.slice(0, MAX_ERROR_CHARS);
}
