/** Does something with each item, at most `most` at the same time. */
export async function mapLimit<T>(items: readonly T[], most: number, run: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  await Promise.all(
    Array.from({ length: most }, async () => {
      for (const item of queue) await run(item);
    }),
  );
}
