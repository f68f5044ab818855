import { isDeletedAccount } from "../../platform/database/account-states.ts";
import { hostOf } from "../../platform/lib/host-of.ts";
import { UNTRUSTED_LINKS } from "../../links/store/verdicts.ts";
import { LINKS_WITH_COUNTED_HOSTS, TRUST_CHECK_INTERVAL_MS } from "./limits.ts";

/** An account that is not trusted yet. */
export interface UntrustedAccount {
  id: number;
  /** Whether it can be trusted now. */
  isReady: boolean;
  /** Whether it can be trusted now if it is proven: it has a verified domain, or an owner with a second factor. */
  isReadyIfProven: boolean;
  /** Whether it is proven. */
  isProven: boolean;
}

interface Row {
  id: number;
  is_ready: 0 | 1;
  is_ready_if_proven: 0 | 1;
  is_proven: 0 | 1;
}

const HAS_DOMAIN =
  "EXISTS (SELECT 1 FROM domains d INDEXED BY domains_by_account WHERE d.account_id = a.id AND d.status = 'verified')";
const HAS_FACTOR = `EXISTS (SELECT 1 FROM memberships m INDEXED BY memberships_owners
  WHERE m.account_id = a.id AND m.role = 'owner' AND (
    EXISTS (SELECT 1 FROM totp_factors t WHERE t.user_id = m.user_id AND t.confirmed_at IS NOT NULL)
    OR EXISTS (SELECT 1 FROM passkeys p WHERE p.user_id = m.user_id)))`;
const IS_STOPPED = `(a.disabled_at IS NOT NULL OR ${isDeletedAccount("a.id")}
  OR EXISTS (SELECT 1 FROM takedowns t INDEXED BY takedowns_in_force
    WHERE t.kind = 'account' AND t.target = CAST(a.id AS TEXT) AND t.reversed_at IS NULL))`;

/**
 * The account whose check is due for the longest time; null: none. An account that was created before `bornUntil` is
 * ready, and before `provenUntil` if it is proven. One that the operator stopped is not.
 */
export async function findAccountToTrust(
  db: D1Database,
  now: number,
  bornUntil: number,
  provenUntil: number,
): Promise<UntrustedAccount | null> {
  const row = await db
    .prepare(
      `SELECT a.id, NOT ${IS_STOPPED} AND (a.trust_at = 0 OR a.created_at <= ?2) AS is_ready,
         NOT ${IS_STOPPED} AND a.created_at <= ?3 AS is_ready_if_proven,
         ${HAS_DOMAIN} OR ${HAS_FACTOR} AS is_proven
       FROM accounts a INDEXED BY accounts_to_trust WHERE a.trust_at <= ?1 ORDER BY a.trust_at LIMIT 1`,
    )
    .bind(now, bornUntil, provenUntil)
    .first<Row>();
  if (row === null) return null;
  const { id, is_ready: ready, is_ready_if_proven: ifProven, is_proven: proven } = row;
  return { id, isReady: ready === 1, isReadyIfProven: ifProven === 1, isProven: proven === 1 };
}

/** Up to the first slash after the host. */
const HEAD = "substr(l.url, 1, 8 + instr(substr(l.url, 9) || '/', '/'))";

/** To how many hosts the links without trust of the account lead: of {@link LINKS_WITH_COUNTED_HOSTS} links. */
export async function countHosts(db: D1Database, accountId: number): Promise<number> {
  const { results } = await db
    .prepare(`SELECT DISTINCT head FROM (SELECT ${HEAD} AS head ${UNTRUSTED_LINKS} LIMIT ?2)`)
    .bind(accountId, LINKS_WITH_COUNTED_HOSTS)
    .all<{ head: string }>();
  return new Set(results.map(({ head }) => hostOf(head))).size;
}

/** The account is trusted from now on, unless a link without trust was created just before. */
export async function trustAccount(db: D1Database, accountId: number): Promise<void> {
  await db
    .prepare(`UPDATE accounts SET trust_at = NULL WHERE id = ?1 AND NOT EXISTS (SELECT 1 ${UNTRUSTED_LINKS})`)
    .bind(accountId)
    .run();
}

/** The account is checked again after {@link TRUST_CHECK_INTERVAL_MS}. */
export async function postponeTrust(db: D1Database, accountId: number, now: number): Promise<void> {
  await db
    .prepare("UPDATE accounts SET trust_at = ?2 WHERE id = ?1 AND trust_at IS NOT NULL")
    .bind(accountId, now + TRUST_CHECK_INTERVAL_MS)
    .run();
}
