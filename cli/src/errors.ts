/** The exit codes of all commands. */
export const EXIT = { done: 0, refused: 1, wrongUse: 2 } as const;

/** The command was used in a wrong way, so nothing was sent. The message says what to do. */
export class UsageError extends Error {}

/** The service answered, and what was asked for did not happen. */
export class RefusedError extends Error {}
