// A reporter of vitest. It keeps what has not finished in the file $UNFINISHED, so that `.ci/run` can name it if vitest does
// not end: the reports of vitest itself are written at its end.
import { writeFileSync } from "node:fs";

export default class Unfinished {
  #notStarted = 0;
  /** The tests that run, by the files that run. */
  #running = new Map();

  onTestRunStart(specifications) {
    this.#notStarted = specifications.length;
    this.#write();
  }

  onTestModuleQueued(file) {
    this.#notStarted--;
    this.#running.set(nameOf(file), new Set());
    this.#write();
  }

  onTestCaseReady(test) {
    this.#running.get(nameOf(test.module))?.add(test.fullName);
    this.#write();
  }

  onTestCaseResult(test) {
    this.#running.get(nameOf(test.module))?.delete(test.fullName);
    this.#write();
  }

  onTestModuleEnd(file) {
    this.#running.delete(nameOf(file));
    this.#write();
  }

  #write() {
    const lines = Array.from(
      this.#running,
      ([file, tests]) => `${file}: ${tests.size === 0 ? "in none of its tests" : `in ${[...tests].join(", ")}`}`,
    );
    if (lines.length === 0) lines.push("no file");
    writeFileSync(process.env.UNFINISHED, `${lines.join("\n")}\nfiles that have not started: ${this.#notStarted}\n`);
  }
}

function nameOf(file) {
  return `${file.project.name} ${file.relativeModuleId}`;
}
