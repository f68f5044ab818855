const tasks: (() => unknown)[] = [];

/** Runs the task after the last test of the file. A module that several files of a process share has no hooks of a file. */
export function atEndOfFile(task: () => unknown): void {
  tasks.push(task);
}

/** Runs the tasks, the newest first. */
export async function endFile(): Promise<void> {
  for (const task of tasks.splice(0).toReversed()) await task();
}
