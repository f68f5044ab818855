/** Whether the user has a second factor. Nobody has one yet. */
export function hasFactor(_db: D1Database, _userId: string): Promise<boolean> {
  return Promise.resolve(false);
}
