/** The exit codes of all commands. */
export const EXIT = { done: 0, refused: 1, wrongUse: 2, interrupted: 130 } as const;

/** The command was used in a wrong way, and nothing was changed. The message says what to do. */
export class UsageError extends Error {}

/** Reports an error of the SDK that it throws before it sends anything, such as a malformed key. */
export function asWrongUse(error: unknown): never {
  throw new UsageError((error as Error).message);
}

/** What was asked for did not happen: the service, a receiver or the person refused. */
export class RefusedError extends Error {}
