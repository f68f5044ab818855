import { setTimeout as sleep } from "node:timers/promises";
import { DEFAULT_CLICK_RETENTION_DAYS } from "../../../src/click-log/limits.ts";
import { MAX_BODY_BYTES, RATE_LIMIT_WINDOW_MS } from "../../../src/limits.ts";
import { createPerson, type FuzzPerson } from "../../../test/e2e/support/fuzz-person.ts";
import type { Answer } from "../../../test/e2e/support/http.ts";
import { createAccount } from "../../../test/support/accounts.ts";
import { insertDomainOf, insertLinksOf } from "../growth/fill.ts";
import type { InstrumentedServer } from "../instrumented/server.ts";
import { DAY_MS, NOW } from "../instrumented/year.ts";
import { BINDINGS } from "../runtime.ts";

/** A request of the API. `key` is by default that of the account; null: none. */
export interface Ask {
  method: string;
  path: string;
  body?: string | undefined;
  headers?: Record<string, string>;
  key?: string | null;
}

export interface Account {
  server: InstrumentedServer;
  accountId: number;
  key: string;
  /** The id of the link with half of all clicks. */
  busyLink: string;
  /** Ids of links of the largest size. */
  heavyLinks: string[];
  /** The name of the account's verified domain, which a fifth of the links have. */
  customDomain: string;
  /** The owner of the account, with a session. */
  person: FuzzPerson;
  /** What parameters of paths stand for, by the path up to them. */
  ids: Record<string, string>;
  /** Those of the person's browser. */
  cookies: Record<string, string>;
  /** Makes everything as it was at first, apart from links. */
  restore: D1PreparedStatement[];
  /**
   * Sends a request from an address of its own. After a 429 it waits, by the clock of the service, and tries again. It also
   * does so while an account has as many exports as can run at once.
   */
  send: (ask: Ask) => Promise<Answer>;
  /** Sends a request that must succeed; returns the first member of the answer. */
  ask: <T>(ask: Ask) => Promise<T>;
}

export interface Size {
  links: number;
  clicks: number;
}

const RUNNING_MS = 500;

/** Makes an account with links and clicks by SQL, where the API would be slow, and sets the clock of the service to `NOW`. */
export async function createFilled(server: InstrumentedServer, { links, clicks }: Size): Promise<Account> {
  const { db } = server;
  const { accountId, key } = await createAccount(db);
  const send: Account["send"] = async (ask) => {
    const { method, path, body, headers, key: other = key } = ask;
    const all = { ...(other !== null && { Authorization: `Bearer ${other}` }), ...headers };
    // A refusal before a large body was read ends the connection.
    const answer = await server.send(method, path, all, body).catch((error: unknown) => {
      if ((body?.length ?? 0) <= MAX_BODY_BYTES) throw error;
      return null;
    });
    if (answer?.status === 409 && answer.text.includes('"too_many_running"')) {
      await sleep(RUNNING_MS);
      return send(ask);
    }
    if (answer !== null && answer.status !== 429) return answer;
    const seconds = answer?.headers["retry-after"];
    await server.control({ advance: seconds === undefined ? RATE_LIMIT_WINDOW_MS : Number(seconds) * 1_000 });
    return send(ask);
  };
  const customDomain = await insertDomainOf(db, accountId);
  await insertLinksOf(db, accountId, 1, links);
  const busyLink = await fillClicks(server, accountId, clicks);
  await server.control({ now: NOW });
  // A time that is after that of the service, however far calls have advanced it.
  const person = await createPerson(db, "ann@example.com", accountId, NOW + DAY_MS);
  const cookies = { tern: person.token };
  const ask = async <T>(asked: Ask) => {
    const answer = await send(asked);
    if (answer.status >= 300) throw new Error(`${asked.method} ${asked.path}: ${answer.status} ${answer.text}`);
    return Object.values(answer.json() as object)[0] as T;
  };
  const found = { server, accountId, key, busyLink, customDomain, person, cookies };
  return { ...found, heavyLinks: [], ids: {}, restore: [], send, ask };
}

/** Adds clicks of the days that are kept as single clicks. Half of them are those of one of 50 links, whose id is returned. */
async function fillClicks(server: InstrumentedServer, accountId: number, clicks: number): Promise<string> {
  const select = server.db.prepare("SELECT id FROM links WHERE account_id = ?1 ORDER BY seq LIMIT 50");
  const { results } = await select.bind(accountId).all<{ id: string }>();
  const [busy = "", ...others] = results.map(({ id }) => id);
  const links = others.flatMap((id) => [busy, id]);
  for (let day = DEFAULT_CLICK_RETENTION_DAYS - 1; day > 0; day--) {
    const [from, until] = [NOW - day * DAY_MS, NOW - (day - 0.5) * DAY_MS];
    const each = Math.ceil(clicks / (DEFAULT_CLICK_RETENTION_DAYS - 1));
    const take = { accountId, links, clicks: each, perMessage: 100, perDelivery: 100, from, until };
    await server.control({ now: until, take });
  }
  return busy;
}

/** What a request of the person's browser has, in the account. */
export function asPerson({ person, cookies }: Account, path: string) {
  const Cookie = Object.entries(cookies).map(([name, value]) => `${name}=${value}`);
  const ofAccount = path.includes("/account") && { "X-Account-Id": person.team };
  return { key: null, headers: { Origin: BINDINGS.BASE_URL, Cookie: Cookie.join("; "), ...ofAccount } };
}
