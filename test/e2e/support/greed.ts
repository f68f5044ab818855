import { MAX_ACTIVE_KEYS_PER_ACCOUNT, MAX_WEBHOOKS_PER_ACCOUNT, RATE_LIMIT_WINDOW_MS } from "../../../src/limits.ts";
import { RATE_LIMITS } from "../../../src/app.ts";
import type { Link } from "../../../src/links/contract.ts";
import { callApi, createAccount, createLink } from "./accounts.ts";
import type { Answer } from "./http.ts";
import type { Isolate } from "./service.ts";

/** Sends a request to one of the running isolates; null if the connection broke. */
export type Attempt = (run: (isolate: Isolate) => Promise<Answer>) => Promise<Answer | null>;

const MAX_CLICKS = 10;
const LIMITED_LINKS = 3;
const AT_ONCE = 2;
const PAUSE_MS = 150;
/** The IP address that tries to exceed the rate limit. */
const ADDRESS = "203.0.113.77";

/** A client that tries to exceed every limit, and records what it got. */
export class Greed {
  readonly #db: () => D1Database;
  #accountId = 0;
  #key = "";
  #links: Link[] = [];
  /** How often limited links redirected to the destination, by id. */
  readonly #visits = new Map<string, number>();
  readonly #passed: { sentAt: number; answeredAt: number }[] = [];
  #refused = 0;
  /** The limits that were exceeded. */
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

  async run(attempt: Attempt, goesOn: () => boolean): Promise<void> {
    const repeat = async (run: () => Promise<unknown>) => {
      while (goesOn()) {
        await run();
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    };
    const several = (run: () => Promise<unknown>) => Array.from({ length: AT_ONCE }, () => repeat(run));
    await Promise.all([
      ...several(() => this.#visit(attempt)),
      ...several(() => this.#createMany(attempt)),
      ...several(() => this.#callOften(attempt)),
      repeat(() => this.#checkCounts()),
    ]);
  }

  /** Uses up the limited links, and checks that no limit was exceeded. */
  async finish(attempt: Attempt): Promise<void> {
    for (let visit = 0; visit < MAX_CLICKS; visit++) await this.#visit(attempt);
    await this.#checkCounts();
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
    this.#checkCalls(most);
  }

  /** Counts the calls from the first request to the last response, so that slow responses make no difference. */
  #checkCalls(most: number): void {
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

  async #createMany(attempt: Attempt): Promise<void> {
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
    // A call whose key could not be read counts with those that have no valid key.
    else if (answer.status < 500) this.#passed.push({ sentAt, answeredAt: performance.now() });
  }

  async #checkCounts(): Promise<void> {
    const sql = `SELECT (SELECT count(*) FROM api_keys WHERE account_id = ?1 AND revoked_at IS NULL) AS keys,
      (SELECT count(*) FROM webhooks WHERE account_id = ?1) AS webhooks`;
    const count = async () => this.#db().prepare(sql).bind(this.#accountId).first<{ keys: number; webhooks: number }>();
    // The Worker may restart during the query.
    const { keys, webhooks } = (await count().catch(() => null)) ?? { keys: 0, webhooks: 0 };
    if (keys > MAX_ACTIVE_KEYS_PER_ACCOUNT) this.excesses.push(`${keys} keys`);
    if (webhooks > MAX_WEBHOOKS_PER_ACCOUNT) this.excesses.push(`${webhooks} webhooks`);
  }
}
