const FIRST_POLL_MS = 10;
const LONGEST_POLL_MS = 50;

/** The time limit is the test's own. This one ends the calls of a test that has failed: they would slow the tests after it. */
const LONGEST_WAIT_MS = 300_000;

/** Waits until the condition holds, and asks less and less often: many conditions are calls, which slow what they wait for. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  let waitedMs = 0;
  for (let pollMs = FIRST_POLL_MS; !(await condition()); pollMs = Math.min(LONGEST_POLL_MS, pollMs * 1.2)) {
    if (waitedMs > LONGEST_WAIT_MS) throw new Error(`did not hold for ${LONGEST_WAIT_MS} ms: ${String(condition)}`);
    waitedMs += pollMs;
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}
