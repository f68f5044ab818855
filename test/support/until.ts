const FIRST_POLL_MS = 10;
const LONGEST_POLL_MS = 50;

/**
 * Waits until the condition holds, and asks less and less often: many conditions are calls, which slow what they wait for.
 * The time limit is the test's own.
 */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let pollMs = FIRST_POLL_MS; !(await condition()); pollMs = Math.min(LONGEST_POLL_MS, pollMs * 1.2))
    await new Promise((resolve) => setTimeout(resolve, pollMs));
}
