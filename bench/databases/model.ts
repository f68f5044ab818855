import { parse, stringify } from "uuid";

/** What the service must have. It keeps a few bytes for each link: all fields follow from the link's number and its state. */

/** `kept`: it is deleted and can be restored. `suspended`: its account is deleted and can be restored. */
export const STATE = { live: 1, suspended: 2, archived: 4, marked: 8, changed: 16, renamed: 32, kept: 64 } as const;

/** The fields of a link that are compared. */
export interface ExpectedLink {
  id: string;
  slug: string;
  url: string;
  title: string | null;
  tags: string[];
  externalId: string;
  archived: boolean;
  aliases: string[];
}

const ID_BYTES = 16;
/** Every tenth link gets a slug that the service chooses. */
const GENERATED_EVERY = 10;
const WORDS = 500;
const TAGS = 40;
export const COMMON_TAG = "common";
export const MARKED_TAG = "marked";

export const wordOf = (n: number): string => `w${String(n % WORDS).padStart(3, "0")}`;
export const tagOf = (n: number): string => `tag-${n % TAGS}`;
export const externalIdOf = (n: number): string => `item-${String(n).padStart(8, "0")}`;
const hasTitle = (n: number) => n % 3 !== 0;
const hasTags = (n: number) => n % 4 !== 0;

export class Model {
  /** Numbers of links up to here were given out. */
  next = 0;
  readonly #accounts: Uint8Array;
  readonly #states: Uint8Array;
  readonly #ids: Uint8Array;
  readonly #generated = new Map<number, string>();
  readonly #numbers = new Map<string, number>();

  constructor(capacity: number) {
    this.#accounts = new Uint8Array(capacity);
    this.#states = new Uint8Array(capacity);
    this.#ids = new Uint8Array(capacity * ID_BYTES);
  }

  get capacity(): number {
    return this.#states.length;
  }

  /** Gives numbers to `count` new links of the account, by its index. They are not there before {@link created}. */
  begin(account: number, count: number): number[] {
    const numbers = Array.from({ length: count }, (_, index) => this.next + index);
    this.next += count;
    if (this.next > this.capacity) throw new Error("the model has no room for so many links");
    for (const n of numbers) this.#accounts[n] = account;
    return numbers;
  }

  /** What the creation of the link sends. */
  fieldsOf(n: number): Record<string, unknown> {
    return {
      url: this.urlOf(n, false),
      externalId: externalIdOf(n),
      ...(n % GENERATED_EVERY !== 0 && { slug: `Deal-${n}` }),
      ...(hasTitle(n) && { title: `Walnut lamp ${wordOf(n)} number ${n}` }),
      ...(hasTags(n) && { tags: [COMMON_TAG, tagOf(n)] }),
    };
  }

  created(n: number, { id, slug }: { id: string; slug: string }): void {
    this.#ids.set(parse(id), n * ID_BYTES);
    if (n % GENERATED_EVERY === 0) {
      this.#generated.set(n, slug);
      this.#numbers.set(slug.toLowerCase(), n);
    }
    this.#states[n] = STATE.live;
  }

  add(n: number, state: number): void {
    this.#states[n] = this.stateOf(n) | state;
  }

  delete(n: number): void {
    this.#states[n] = (this.stateOf(n) & ~STATE.live) | STATE.kept;
  }

  /** The account is deleted, but not yet for good. Returns the number of its links. */
  suspend(account: number): number {
    return this.#replace("live", STATE.suspended, account);
  }

  /** The links in this state are deleted for good. Returns their number. */
  forget(state: "kept" | "suspended"): number {
    return this.#replace(state, 0);
  }

  #replace(state: keyof typeof STATE, successor: number, account?: number): number {
    let count = 0;
    for (const n of this.numbers(account)) {
      if (!this.is(n, state)) continue;
      this.#states[n] = (this.stateOf(n) & ~STATE[state]) | successor;
      count++;
    }
    return count;
  }

  stateOf(n: number): number {
    return this.#states[n] ?? 0;
  }

  is(n: number, state: keyof typeof STATE): boolean {
    return (this.stateOf(n) & STATE[state]) !== 0;
  }

  accountOf(n: number): number {
    return this.#accounts[n] ?? 0;
  }

  idOf(n: number): string {
    return stringify(this.#ids.subarray(n * ID_BYTES, (n + 1) * ID_BYTES));
  }

  urlOf(n: number, isChanged: boolean): string {
    return `https://shop-${n % 997}.example.com/p/${n}${isChanged ? "?version=2" : ""}`;
  }

  firstSlugOf(n: number): string {
    return this.#generated.get(n) ?? `Deal-${n}`;
  }

  newSlugOf(n: number): string {
    return `New-${n}`;
  }

  /** All slugs that lead to the link. */
  slugsOf(n: number): string[] {
    return this.is(n, "renamed") ? [this.newSlugOf(n), this.firstSlugOf(n)] : [this.firstSlugOf(n)];
  }

  /** The number of the link that has the slug key, or undefined. */
  numberOf(key: string): number | undefined {
    const [, number] = /^(?:deal|new)-(\d+)$/.exec(key) ?? [];
    return number === undefined ? this.#numbers.get(key) : Number(number);
  }

  /** Where the link leads; null: nowhere. */
  targetOf(n: number): string | null {
    return this.is(n, "live") ? this.urlOf(n, this.is(n, "changed")) : null;
  }

  /** Whether a search for the word and a word of all titles finds the link. Slugs are searched too, but not aliases. */
  hasWord(n: number, word: string): boolean {
    return hasTitle(n) && (wordOf(n) === word || (this.slugsOf(n)[0] ?? "").includes(word));
  }

  tagsOf(n: number): string[] {
    const tags = hasTags(n) ? [COMMON_TAG, tagOf(n)] : [];
    return this.is(n, "marked") ? [...tags, MARKED_TAG] : tags;
  }

  expected(n: number): ExpectedLink {
    const [slug = "", ...aliases] = this.slugsOf(n);
    return {
      id: this.idOf(n),
      slug,
      url: this.urlOf(n, this.is(n, "changed")),
      title: hasTitle(n) ? `Walnut lamp ${wordOf(n)} number ${n}` : null,
      tags: this.tagsOf(n),
      externalId: externalIdOf(n),
      archived: this.is(n, "archived"),
      aliases,
    };
  }

  *numbers(account?: number): Generator<number> {
    for (let n = 0; n < this.next; n++) if (account === undefined || this.accountOf(n) === account) yield n;
  }

  count(account: number, matches: (n: number) => boolean = () => true): number {
    let count = 0;
    for (const n of this.numbers(account)) if (this.is(n, "live") && matches(n)) count++;
    return count;
  }
}
