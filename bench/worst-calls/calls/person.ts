import { hashToken, newToken } from "../../../src/lib/token.ts";
import { restorePerson } from "../../../test/e2e/support/fuzz-person.ts";
import { DAY_MS, NOW } from "../../instrumented/year.ts";
import type { Ask, FilledAccount } from "../account.ts";
import type { WorstCall } from "./call.ts";

/** A time that is after that of the service, however far calls have advanced it. */
const LATER = NOW + DAY_MS;

export const PASSWORD = "seventeen quiet lanterns";
export const OTHER_PASSWORD = "forty green umbrellas";

export interface PersonAsk {
  method: string;
  path: string;
  body?: object;
  /** The id of the account that the person acts for; by default the personal one. */
  account?: string;
  /** Further cookies. */
  cookies?: Record<string, string>;
  /** The call is made without a session. */
  isVisitor?: boolean;
}

/** The request as a browser on the service's own pages sends it. */
export function toAsk(
  { person }: FilledAccount,
  { method, path, body, account, cookies = {}, isVisitor }: PersonAsk,
): Ask {
  const all = { ...(isVisitor !== true && { tern: person.token }), ...cookies };
  const cookie = Object.entries(all).map(([name, value]) => `${name}=${value}`);
  return {
    method,
    path,
    key: null,
    headers: {
      Origin: "http://tern.test",
      ...(cookie.length > 0 && { Cookie: cookie.join("; ") }),
      ...(account !== undefined && { "X-Account-Id": account }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
}

/** The call of a person for whom everything is as at first. */
export function personCall(
  what: string,
  ask: (account: FilledAccount, n: number) => PersonAsk | Promise<PersonAsk>,
): WorstCall {
  return {
    what,
    prepare: async (account, n) => {
      await restorePerson(account.server.db, account.person, LATER);
      return toAsk(account, await ask(account, n));
    },
    isScarce: true,
  };
}

/** The person has no passkey, so that the password is enough. */
export async function removePasskeys({ server, person }: FilledAccount): Promise<void> {
  await server.db.prepare("DELETE FROM passkeys WHERE user_id = ?1").bind(person.userId).run();
}

/** Stores a token as a mail or a cookie has it; returns it. */
export async function addToken(
  { server }: FilledAccount,
  purpose: string,
  subject: string,
  payload: object,
): Promise<string> {
  const token = newToken();
  await server.db
    .prepare(
      "INSERT INTO tokens (hash, purpose, subject, payload, created_at, expires_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )
    .bind(await hashToken(token), purpose, subject, JSON.stringify(payload), NOW, LATER)
    .run();
  return token;
}

/** Fills a table up to `rows` rows with an SQL expression for each value; `i` is the number of a row. */
export async function fill({ server }: FilledAccount, table: string, values: string, rows: number): Promise<void> {
  await server.db
    .prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
       INSERT OR IGNORE INTO ${table} SELECT ${values} FROM n`,
    )
    .bind(rows)
    .run();
}
