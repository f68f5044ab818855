import {
  MAX_ACTIVE_KEYS_PER_ACCOUNT,
  MAX_WEBHOOKS_PER_ACCOUNT,
  RATE_LIMIT_WINDOW_MS,
  RATE_LIMITS,
} from "../../../src/limits.ts";
import type { Link } from "../../../src/links/contract.ts";
import { callApi, createAccount, createLink } from "./accounts.ts";
import type { Answer } from "./http.ts";
import type { Isolate } from "./service.ts";

/** Runs something at one of the isolates that there are; null where it broke off. */
export type Attempt = (run: (isolate: Isolate) => Promise<Answer>) => Promise<Answer | null>;

const MAX_CLICKS = 10;
const LIMITED_LINKS = 3;
const AT_ONCE = 2;
const PAUSE_MS = 150;
/** The one address from which the rate limit is tried. */
const ADDRESS = "203.0.113.77";

/** Somebody who takes more than there is to have, as long as the service lets them, and the books on it. */
export class Greed {
  readonly #db: () => D1Database;
  #accountId = 0;
  #key = "";
  #links: Link[] = [];
  /** Visits of limited links that were answered with the destination. */
  readonly #visits = new Map<string, number>();
  readonly #passed: { sentAt: number; answeredAt: number }[] = [];
  #refused = 0;
  /** What was more than there is. */
  readonly excesses: string[] = [];

  constructor(db: () => D1Database) {
    this.#db = db;
  }

  async prepare(isolate: Isolate): Promise<void> {
    ({ accountId: this.#accountId, key: this.#key } = await createAccount(this.#db()));
    for (let n = 0; n < LIMITED_LINKS; n++) {
      const fields = { url: "https://example.com/limited", maxClicks: MAX_CLICKS };
      this.#links.push(await createLink(isolate, this.#key, fields));
    }
  }

  async goOn(attempt: Attempt, goOn: () => boolean): Promise<void> {
    const repeat = async (run: () => Promise<unknown>) => {
      while (goOn()) {
        await run();
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    };
    const several = (run: () => Promise<unknown>) => Array.from({ length: AT_ONCE }, () => repeat(run));
    await Promise.all([
      ...several(() => this.#visit(attempt)),
      ...several(() => this.#takePlaces(attempt)),
      ...several(() => this.#callOften(attempt)),
      repeat(() => this.#countPlaces()),
    ]);
  }

  /** Takes what is left of the limited links; then their visits are all taken, and no more were given. */
  async finish(attempt: Attempt): Promise<void> {
    for (let visit = 0; visit < MAX_CLICKS; visit++) await this.#visit(attempt);
    await this.#countPlaces();
    for (const { id } of this.#links) {
      const given = this.#visits.get(id) ?? 0;
      const claimed = await this.#db()
        .prepare("SELECT visits FROM links WHERE id = ?1")
        .bind(id)
        .first<number>("visits");
      if (given > MAX_CLICKS || claimed !== MAX_CLICKS) this.excesses.push(`${given} visits, ${claimed} claimed`);
    }
    const most = RATE_LIMITS["GET /api/keys"];
    for (let call = 0; call <= most && this.#refused === 0; call++) await this.#callOften(attempt);
    this.#lookAtCalls(most);
  }

  /** However late the answers: between the first that was sent and the last answer there are no more. */
  #lookAtCalls(most: number): void {
    const calls = this.#passed.toSorted((a, b) => a.sentAt - b.sentAt);
    for (const [index, { sentAt }] of calls.entries()) {
      const tooMany = calls.slice(index, index + most + 1);
      const ms = Math.max(...tooMany.map(({ answeredAt }) => answeredAt)) - sentAt;
      if (tooMany.length > most && ms < RATE_LIMIT_WINDOW_MS) this.excesses.push(`${tooMany.length} calls in ${ms} ms`);
    }
    if (this.#refused === 0) this.excesses.push(`no call was refused: ${calls.length} were made`);
  }

  async #visit(attempt: Attempt): Promise<void> {
    for (const { id, slug } of this.#links) {
      const answer = await attempt((isolate) => isolate.get(`/${slug}`));
      if (answer?.headers["location"] === "https://example.com/limited")
        this.#visits.set(id, (this.#visits.get(id) ?? 0) + 1);
    }
  }

  async #takePlaces(attempt: Attempt): Promise<void> {
    const key = { name: "greedy", permissions: ["links:read"] };
    await attempt((isolate) => callApi(isolate, this.#key, "POST", "/api/keys", key));
    const webhook = { url: "http://127.0.0.1:9/", events: ["domain.verified"] };
    await attempt((isolate) => callApi(isolate, this.#key, "POST", "/api/webhooks", webhook));
  }

  async #callOften(attempt: Attempt): Promise<void> {
    const sentAt = performance.now();
    const headers = { "CF-Connecting-IP": ADDRESS };
    const answer = await attempt((isolate) => callApi(isolate, this.#key, "GET", "/api/keys", undefined, headers));
    if (answer === null) return;
    if (answer.status === 429) this.#refused++;
    else this.#passed.push({ sentAt, answeredAt: performance.now() });
  }

  async #countPlaces(): Promise<void> {
    const sql = `SELECT (SELECT count(*) FROM api_keys WHERE account_id = ?1 AND revoked_at IS NULL) AS keys,
      (SELECT count(*) FROM webhooks WHERE account_id = ?1) AS webhooks`;
    const count = async () => this.#db().prepare(sql).bind(this.#accountId).first<{ keys: number; webhooks: number }>();
    // A restart may come in between.
    const { keys, webhooks } = (await count().catch(() => null)) ?? { keys: 0, webhooks: 0 };
    if (keys > MAX_ACTIVE_KEYS_PER_ACCOUNT) this.excesses.push(`${keys} keys`);
    if (webhooks > MAX_WEBHOOKS_PER_ACCOUNT) this.excesses.push(`${webhooks} webhooks`);
  }
}
