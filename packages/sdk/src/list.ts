/** A page of a list as the API returns it: the items under their name, the cursor of the next page, and perhaps more. */
export type Page<Name extends string, Item, More = unknown> = { [K in Name]: Item[] } & {
  /** null on the last page. */
  nextCursor: string | null;
} & More;

/** The items of all pages, for `for await`. Nothing is requested before. */
export class List<Name extends string, Item, More = unknown> implements AsyncIterable<Item> {
  readonly #name: Name;
  readonly #load: (cursor?: string) => Promise<Page<Name, Item, More>>;

  constructor(name: Name, load: (cursor?: string) => Promise<Page<Name, Item, More>>) {
    this.#name = name;
    this.#load = load;
  }

  /** One page: the first one, or that of the query's `cursor` or `page`. */
  page(): Promise<Page<Name, Item, More>> {
    return this.#load();
  }

  /** The items of all pages in an array, at most the first `limit`. */
  async all({ limit }: { limit: number }): Promise<Item[]> {
    const items: Item[] = [];
    if (limit > 0) for await (const item of this) if (items.push(item) >= limit) break;
    return items;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    let cursor: string | undefined;
    do {
      const page: Page<Name, Item, More> = await this.#load(cursor);
      yield* (page as Page<Name, Item>)[this.#name];
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
  }
}
