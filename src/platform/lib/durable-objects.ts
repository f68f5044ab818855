/** Whether the object rejected the call because it was overloaded. Such a call must not be repeated at once. */
export function isOverload(error: unknown): boolean {
  return error instanceof Error && "overloaded" in error && error.overloaded === true;
}

/** Whether the call failed transiently: the object was overloaded or restarted. */
export function isRetryable(error: unknown): boolean {
  return isOverload(error) || (error instanceof Error && "retryable" in error && error.retryable === true);
}
