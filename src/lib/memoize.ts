/**
 * The function, answering from memory for texts that it was asked about lately, of which memory holds
 * `max` at most. There are two generations: when the recent one is full it takes the place of the older
 * one, whose texts go but for those that were asked for meanwhile. So a flood of texts pushes out none
 * that is in use.
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

/** V8 keeps the whole of a long text in memory while a part that was cut out of it is; a copy keeps itself alone. */
export function copyOf(text: string): string {
  return ` ${text}`.slice(1);
}
