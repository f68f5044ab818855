import { retentionDays, type RetentionVariables } from "../retention-days.ts";
import { RETENTION_CHANGE_MS } from "../limits.ts";

interface State {
  accountId: number;
  /** What the account chose; null: nothing. */
  days: number | null;
  /** When the database is to be read again, Unix milliseconds; null: no change is expected. */
  checkAt: number | null;
}

/** What was read of the database. */
interface Found extends Pick<State, "days"> {
  /** The check that this was; null: it was none. */
  check: number | null;
}

const KEY = "retention";

/** For how many days the ClickLog keeps single clicks, as far as it knows. */
export function readRetentionDays(kv: SyncKvStorage, env: RetentionVariables): number {
  return retentionDays(kv.get<State>(KEY)?.days ?? null, env);
}

/**
 * What the account chose, as the database had it. Nothing is stored for an account that never chose, so most ClickLogs have no row
 * of it. Before a change the ClickLog is told, and reads the database after it and once more {@link RETENTION_CHANGE_MS} later: then
 * it knows of the change even if nobody could tell it that it was made.
 */
export class AccountRetention {
  readonly #kv: SyncKvStorage;
  readonly #env: RetentionVariables;
  #state: State | undefined;

  constructor(kv: SyncKvStorage, env: RetentionVariables) {
    this.#kv = kv;
    this.#env = env;
    this.#state = kv.get<State>(KEY);
  }

  /** For how many days single clicks are kept. */
  get days(): number {
    return retentionDays(this.#state?.days ?? null, this.#env);
  }

  /** When {@link find} is due, Unix milliseconds. */
  get checkAt(): number {
    return this.#state?.checkAt ?? Infinity;
  }

  /** A new ClickLog learns it with the first clicks. */
  learn(accountId: number, days: number | null): void {
    if (this.#state === undefined && days !== null) this.#set({ accountId, days, checkAt: null });
  }

  /** Another retention may be stored after this call, within {@link RETENTION_CHANGE_MS}. */
  expectChange(accountId: number, now: number): void {
    this.#set({ accountId, days: this.#state?.days ?? null, checkAt: now + RETENTION_CHANGE_MS });
  }

  /** Reads one row. Give the result to {@link take}. */
  async find(db: D1Database, now: number): Promise<Found | null> {
    if (this.#state === undefined) return null;
    const { accountId, checkAt } = this.#state;
    const days = await db
      .prepare("SELECT click_retention_days FROM accounts WHERE id = ?1")
      .bind(accountId)
      .first<number>("click_retention_days");
    return { days, check: now >= this.checkAt ? checkAt : null };
  }

  /** Returns whether single clicks are now kept for another time. */
  take(found: Found | null): boolean {
    if (found === null || this.#state === undefined) return false;
    const before = this.days;
    const { accountId, checkAt } = this.#state;
    // A further change may have been announced meanwhile.
    this.#set({ accountId, days: found.days, checkAt: checkAt === found.check ? null : checkAt });
    return this.days !== before;
  }

  /** The storage was deleted. */
  forget(): void {
    this.#state = undefined;
  }

  #set(state: State): void {
    this.#state = state;
    this.#kv.put(KEY, state);
  }
}
