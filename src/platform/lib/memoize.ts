/**
 * A function that remembers its results for up to `max` texts. There are two generations. When the recent one is full, it
 * replaces the older one. A text of the older generation that is used again moves to the recent one. So a flood of new
 * texts does not evict the texts in use.
 */
export function memoize<T>(max: number, make: (text: string) => T): (text: string) => T {
  let recent = new Map<string, T>();
  let older = new Map<string, T>();
  return (text) => {
    const known = recent.get(text);
    if (known !== undefined) return known;
    const value = older.get(text) ?? make(text);
    if (recent.size >= max / 2) {
      older = recent;
      recent = new Map();
    }
    recent.set(copyOf(text), value);
    return value;
  };
}

/** V8 keeps a whole text in memory for a slice of it. A copy needs only its own characters. */
function copyOf(text: string): string {
  return ` ${text}`.slice(1);
}
