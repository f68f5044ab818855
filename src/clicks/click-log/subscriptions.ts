import { findSubscribers, hasSubscription, type Subscriber } from "../../outbox/subscribers.ts";
import { SUBSCRIPTION_CHANGE_MS } from "../limits.ts";

/**
 * What a ClickLog knows of its account without asking the database: `none`: no webhook subscribes to clicks, not even an inactive
 * one; `gone`: the account is purged; a time, Unix milliseconds: until then, a webhook that subscribes may be stored.
 */
type State = "none" | "gone" | number;

const KEY = "subscriptions";

/**
 * Whether webhooks of the account subscribe to clicks. Most accounts have none, and then their clicks need no database. It is
 * stored, so that the first click after a while does not ask the database either.
 */
export class Subscriptions {
  readonly #kv: SyncKvStorage;
  #state: State | undefined;
  /** Changes with each {@link expectChange}, so that a read that began before is not used after it. */
  #version = 0;

  constructor(kv: SyncKvStorage) {
    this.#kv = kv;
    this.#state = kv.get<State>(KEY);
  }

  get isAccountGone(): boolean {
    return this.#state === "gone";
  }

  /** The active webhooks that subscribe to clicks; null: the account does not exist. */
  async find(db: D1Database, accountId: number | null, now: number): Promise<Subscriber[] | null> {
    if (this.isAccountGone) return null;
    if (accountId === null || this.#state === "none") return [];
    const version = this.#version;
    const webhooks = await findSubscribers(db, accountId, "link.click", now);
    if (webhooks?.length !== 0 || (await hasSubscription(db, accountId, "link.click"))) return webhooks;
    const mayChange = typeof this.#state === "number" && this.#state > now;
    if (version === this.#version && !this.isAccountGone && !mayChange) this.#set("none");
    return webhooks;
  }

  /** A webhook that subscribes may be stored after this call, within {@link SUBSCRIPTION_CHANGE_MS}. */
  expectChange(now: number): void {
    if (this.isAccountGone) return;
    this.#version++;
    this.#set(now + SUBSCRIPTION_CHANGE_MS);
  }

  /** The account is purged. */
  markGone(): void {
    this.#set("gone");
  }

  /** Another database takes the place of the present one. */
  forget(): void {
    this.#version++;
    this.#state = undefined;
    this.#kv.delete(KEY);
  }

  #set(state: State): void {
    this.#state = state;
    this.#kv.put(KEY, state);
  }
}
