/**
 * A command that runs longer hangs and is ended (milliseconds). Vitest's own limits do not end it, nor a test that waits for it
 * with `execFileSync`, which holds the process of the test.
 */
export const COMMAND_TIMEOUT_MS = 300_000;
