import { hashKey, isKeyShaped, KEY_START } from "../../src/platform/auth/key.ts";
import { isId, newId } from "../../src/platform/lib/uuid.ts";
import { literal } from "./account-sql.ts";
import { missingIn } from "./announce.ts";
import { targetArguments, type Target } from "./backup/target.ts";
import { Failure, WRONG_USAGE } from "./command.ts";
import { queryDatabase } from "./database-query.ts";
import type { Wrangler } from "./wrangler.ts";

interface FoundKey {
  id: string;
  name: string;
  last_four: string;
  account: string;
  uuid: string;
}

/** Ends an API key, such as one that leaked, with an entry in the audit log of its account. Names the keys that were made with it. */
export async function revokeKey(target: Target, run: Wrangler, given: string): Promise<void> {
  if (!isKeyShaped(given) && !isId(given))
    throw new Failure(`KEY must be an API key, which begins with ${KEY_START}, or the id of one.`, WRONG_USAGE);
  const isMeant = isKeyShaped(given) ? `hash = ${literal(await hashKey(given))}` : `id = ${literal(given)}`;
  const now = Date.now();
  const found = await queryDatabase<FoundKey>(
    target,
    run,
    `UPDATE api_keys SET revoked_at = coalesce(revoked_at, ${now}) WHERE ${isMeant}`,
    `INSERT INTO audit_entries (id, account_id, actor_type, action, target_id, created_at)
     SELECT ${literal(newId(now))}, account_id, 'operator', 'key.revoke', id, ${now} FROM api_keys
     WHERE ${isMeant} AND revoked_at = ${now} ON CONFLICT (id) DO NOTHING`,
    `SELECT k.id, k.name, k.last_four, a.name AS account, a.uuid FROM api_keys k JOIN accounts a ON a.id = k.account_id
     WHERE k.${isMeant}
     UNION ALL
     SELECT k.id, k.name, k.last_four, a.name, a.uuid FROM api_keys k JOIN accounts a ON a.id = k.account_id
     WHERE k.revoked_at IS NULL AND k.created_by_key = (SELECT id FROM api_keys WHERE ${isMeant})`,
  );
  const [key, ...made] = found;
  if (key === undefined) throw missingIn(target, "There is no such API key");
  console.log(`Revoked the key "${key.name}" (…${key.last_four}) of the account "${key.account}" (${key.uuid}).`);
  if (made.length === 0) return;
  console.log("These keys were made with it, and go on. To end one:");
  for (const { id, name } of made)
    console.log(`  npm run account -- revoke-key ${id}${targetArguments(target)}   # "${name}"`);
}
