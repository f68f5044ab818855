import { createInterface } from "node:readline/promises";
import { newId } from "../../src/platform/lib/uuid.ts";
import { targetArguments, type Target } from "./backup/target.ts";
import { endSessionsSql, literal } from "./account-sql.ts";
import { countOf } from "./command.ts";
import { queryDatabase } from "./database-query.ts";
import type { Wrangler } from "./wrangler.ts";

// A restore brings back access that was ended since: revoked keys, former members, used recovery codes, old passwords.

/** What opens an account. */
interface Access {
  id: string;
  name: string;
  /** JSON array: the names of its active keys. */
  keys: string;
  /** JSON array: the names of its connected apps. */
  apps: string;
  /** JSON array: addresses with roles. */
  members: string;
  passwords: number;
  codes: number;
}

const OF_MEMBERS = "user_id IN (SELECT user_id FROM memberships WHERE account_id = a.id)";

const listAccess = (now: number) => `
  SELECT uuid AS id, name,
    (SELECT json_group_array(name) FROM api_keys
      WHERE account_id = a.id AND revoked_at IS NULL AND coalesce(expires_at > ${now}, true)) AS keys,
    (SELECT json_group_array(client_name) FROM oauth_grants WHERE account_id = a.id AND expires_at > ${now}) AS apps,
    (SELECT json_group_array(u.email || ' (' || m.role || ')') FROM memberships m JOIN users u ON u.id = m.user_id
      WHERE m.account_id = a.id) AS members,
    (SELECT count(*) FROM memberships m JOIN users u ON u.id = m.user_id
      WHERE m.account_id = a.id AND u.password_hash IS NOT NULL) AS passwords,
    (SELECT count(*) FROM recovery_codes WHERE used_by IS NULL AND ${OF_MEMBERS}) AS codes
  FROM accounts a ORDER BY a.id`;

/** Lists what opens each account. Ends it if `end` says so, or the person at the terminal does. */
export async function reviewAccess(target: Target, run: Wrangler, end: boolean): Promise<void> {
  const accounts = await queryDatabase<Access>(target, run, listAccess(Date.now()));
  console.log("\nA restore brings back what was ended since. These have access now:");
  for (const account of accounts) console.log(describe(account));
  if (end || (await isConfirmed())) return endAccess(target, run);
  console.log(
    "To end all sessions, revoke all keys and disconnect all apps:\n" +
      `  npm run restore -- --end-access${targetArguments(target)}\n` +
      "Former members stay until an owner removes them, passwords and recovery codes until their persons replace them.",
  );
}

function describe({ id, name, keys, apps, members, passwords, codes }: Access): string {
  const list = (noun: string, json: string) => {
    const names = JSON.parse(json) as string[];
    return `  ${countOf(names.length, noun)}${names.length === 0 ? "" : `: ${names.join(", ")}`}`;
  };
  return [
    `${JSON.stringify(name)} (${id})`,
    list("active key", keys),
    list("connected app", apps),
    list("member", members),
    `  ${countOf(passwords, "password")}, ${countOf(codes, "unused recovery code")}`,
  ].join("\n");
}

/** Asks at a terminal; false without one. */
async function isConfirmed(): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(
    "End all sessions, revoke all keys and disconnect all apps? Clients then need new keys. [y/N] ",
  );
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}

/** Ends all sessions and all connected apps, and revokes all keys, with an entry for each key in the audit log of its account. */
async function endAccess(target: Target, run: Wrangler): Promise<void> {
  const now = Date.now();
  // An id with the time of now, and with the last part of the key's, so that each key has another one.
  const entryId = `${literal(newId(now).slice(0, 24))} || substr(id, 25)`;
  const ended = await queryDatabase<{ kind: string }>(
    target,
    run,
    `INSERT INTO audit_entries (id, account_id, actor_type, action, target_id, target_name, created_at)
     SELECT ${entryId}, account_id, 'operator', 'key.revoke', id, name, ${now} FROM api_keys WHERE revoked_at IS NULL`,
    `UPDATE api_keys SET revoked_at = ${now} WHERE revoked_at IS NULL RETURNING 'key' AS kind`,
    ...endSessionsSql(null),
  );
  const count = (wanted: string) => countOf(ended.filter(({ kind }) => kind === wanted).length, wanted);
  console.log(`Ended ${count("session")}, revoked ${count("key")} and disconnected ${count("app")}.`);
}
