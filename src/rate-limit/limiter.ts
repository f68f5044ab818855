import { DurableObject } from "cloudflare:workers";
import { RATE_LIMIT_WINDOW_MS } from "../limits.ts";
import { createWindow, expiryOf, recordCall, type CallOptions, type Decision, type SlidingWindow } from "./window.ts";

type StoredWindow = Record<"operation" | "accepted", string> & Record<"penalty_end" | "penalty_ms", number>;

/**
 * The calls of one client in the last minute, by operation (8.1). They are held in memory and in SQLite, because an idle
 * object loses its memory after seconds. An accepted call and a penalty are written before the response leaves; a refused
 * call writes nothing. An alarm deletes the storage once all windows have expired.
 */
export class RateLimiter extends DurableObject<Env> {
  readonly #windows = new Map<string, SlidingWindow>();
  #hasTable = false;
  #hasAlarm = false;
  #lastNow = 0;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#hasTable = ctx.storage.sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'windows'").toArray().length > 0;
    if (this.#hasTable) this.#load();
  }

  /** For the health check: responds if Durable Objects do. */
  ping(): true {
    return true;
  }

  /** Decides on one call, by the clock of this object. Time never runs backwards here. */
  async take(operation: string, limit: number, options: CallOptions = {}): Promise<Decision> {
    this.#lastNow = Math.max(this.#lastNow, Date.now());
    const window = this.#windows.get(operation) ?? createWindow();
    this.#windows.set(operation, window);
    const decision = recordCall(window, limit, this.#lastNow, options);
    const counted = decision.allowed && options.counts !== false;
    if (counted || decision.penalised) await this.#save(operation, window);
    return decision;
  }

  override async alarm(): Promise<void> {
    this.#hasAlarm = false;
    const end = Math.max(0, ...[...this.#windows.values()].map(expiryOf));
    if (end > Date.now()) return this.#setAlarm(end);
    this.#windows.clear();
    this.#hasTable = false;
    await this.ctx.storage.deleteAll();
  }

  #load(): void {
    for (const row of this.ctx.storage.sql.exec<StoredWindow>(
      "SELECT operation, accepted, penalty_end, penalty_ms FROM windows",
    )) {
      const accepted = JSON.parse(row.accepted) as number[];
      this.#windows.set(row.operation, {
        ...createWindow(),
        accepted,
        penaltyEnd: row.penalty_end,
        penaltyMs: row.penalty_ms,
      });
      this.#lastNow = Math.max(this.#lastNow, accepted.at(-1) ?? 0);
    }
  }

  async #save(operation: string, window: SlidingWindow): Promise<void> {
    if (!this.#hasTable) {
      this.ctx.storage.sql.exec(
        "CREATE TABLE windows (operation TEXT PRIMARY KEY, accepted TEXT NOT NULL, penalty_end INTEGER NOT NULL, penalty_ms INTEGER NOT NULL) STRICT, WITHOUT ROWID",
      );
      this.#hasTable = true;
    }
    this.ctx.storage.sql.exec(
      "INSERT OR REPLACE INTO windows VALUES (?, ?, ?, ?)",
      operation,
      JSON.stringify(window.accepted),
      window.penaltyEnd,
      window.penaltyMs,
    );
    if (!this.#hasAlarm) await this.#setAlarm(this.#lastNow + RATE_LIMIT_WINDOW_MS);
  }

  async #setAlarm(time: number): Promise<void> {
    this.#hasAlarm = true;
    await this.ctx.storage.setAlarm(time);
  }
}
