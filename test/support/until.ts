const POLL_MS = 10;

/** Waits until the condition holds. The time limit is the test's own. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
}
