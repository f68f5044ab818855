const waiting = new Set<() => void>();

/**
 * Runs the function in a task of its own, after those that were asked for before. Between two tasks, the browser can paint and
 * answer the person. Returns what takes it back.
 */
export function inOwnTask(run: () => void): () => void {
  waiting.add(run);
  if (waiting.size === 1) setTimeout(runNext);
  return () => waiting.delete(run);
}

function runNext(): void {
  const [run] = waiting;
  if (run === undefined) return;
  waiting.delete(run);
  if (waiting.size > 0) setTimeout(runNext);
  run();
}
