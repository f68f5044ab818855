/** Systems encode the same typed text differently, and some type full-width letters; NFKC makes them equal. */
export function normalisePassword(password: string): string {
  return password.normalize("NFKC");
}
