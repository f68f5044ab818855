// What the redirect Worker must be told of the requests of this isolate. It travels beside the request, because the API calls
// itself for the tools of assistants.

const changesByRequest = new WeakMap<object, unknown[]>();

/** Collects the changes of a request. The list grows until its response is complete. */
export function collectChanges(ctx: object): readonly unknown[] {
  const changes: unknown[] = [];
  changesByRequest.set(ctx, changes);
  return changes;
}

/** Adds a change to those of the request. */
export function addChange(ctx: object, change: unknown): void {
  changesByRequest.get(ctx)?.push(change);
}
