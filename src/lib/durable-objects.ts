/** How the platform marks a call that an object was too busy to take: another at once would be too much as well. */
export function isOverload(error: unknown): boolean {
  return error instanceof Error && "overloaded" in error && error.overloaded === true;
}

/** Whether an object failed in a way that may pass: it was too busy, or was started anew. */
export function mayPass(error: unknown): boolean {
  return isOverload(error) || (error instanceof Error && "retryable" in error && error.retryable === true);
}
