import { findSubscribers, type Subscriber } from "../../platform/outbox/subscribers.ts";
import type { AccountRetention } from "./account-retention.ts";
import { SUBSCRIBERS_KEPT_MS, SUBSCRIPTION_CHANGE_MS } from "../limits.ts";

/** The webhooks that subscribe to clicks, as the database had them. */
interface Kept {
  webhooks: Subscriber[];
  /** Unix milliseconds. */
  readAt: number;
}

/** `gone`: the account is purged; a time, Unix milliseconds: until then, a webhook may be stored or changed. */
type State = Kept | "gone" | number;

const KEY = "subscriptions";

/**
 * Which webhooks of the account subscribe to clicks. It is stored, so that the database is not asked for each flush, and neither
 * by the first one after the object hibernated.
 */
export class Subscriptions {
  readonly #kv: SyncKvStorage;
  readonly #retention: AccountRetention;
  #state: State | undefined;
  /** Changes with each {@link expectChange}, so that a read that began before is not used after it. */
  #version = 0;

  constructor(kv: SyncKvStorage, retention: AccountRetention) {
    this.#kv = kv;
    this.#retention = retention;
    this.#state = kv.get<State>(KEY);
  }

  get isAccountGone(): boolean {
    return this.#state === "gone";
  }

  /** The active webhooks that subscribe to clicks; null: the account does not exist. */
  async find(env: Env, accountId: number, now: number): Promise<Subscriber[] | null> {
    if (this.isAccountGone) return null;
    if (typeof this.#state === "object" && isUsable(this.#state, now)) return this.#state.webhooks;
    const version = this.#version;
    const found = await findSubscribers(env.DB, accountId, "link.click", now);
    if (found !== null && !this.isAccountGone) this.#retention.learn(accountId, found.clickRetentionDays);
    const mayChange = typeof this.#state === "number" && this.#state > now;
    if (found !== null && !found.mayChangeUnnoticed && version === this.#version && !this.isAccountGone && !mayChange)
      this.#set({ webhooks: found.active, readAt: now });
    return found === null ? null : found.active;
  }

  /** A webhook may be stored or changed after this call, within {@link SUBSCRIPTION_CHANGE_MS}. */
  expectChange(now: number): void {
    if (this.isAccountGone) return;
    this.#version++;
    this.#set(now + SUBSCRIPTION_CHANGE_MS);
  }

  /** The account is purged. */
  markGone(): void {
    this.#set("gone");
  }

  /** A backup is restored: the webhooks may be others. */
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

/** None is known for ever: each new webhook is told. Others may have been deleted or deactivated since. */
function isUsable({ webhooks, readAt }: Kept, now: number): boolean {
  return webhooks.length === 0 || now - readAt < SUBSCRIBERS_KEPT_MS;
}
