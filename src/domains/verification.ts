import { batchWithRetry } from "../database/retry.ts";
import { newId } from "../lib/uuid.ts";
import { MAX_DOMAIN_CHANGE_ATTEMPTS } from "../limits.ts";
import { outboxStatements, wokenBy } from "../outbox/legacy.ts";
import { accountEventSource } from "../outbox/statements.ts";
import { applyDnsResult, transitionOf, type DnsResult, type Moment, type Transition } from "./verification-state.ts";
import type { Domain } from "./contract.ts";
import { DOMAIN_COLUMNS, toDomain, type DomainRow } from "./row.ts";
import { noteHostname } from "./store.ts";

export type RecordOutcome =
  | { outcome: "recorded"; row: DomainRow; webhookIds: string[] }
  /** Another account has verified the domain. */
  | { outcome: "claimed" }
  | { outcome: "gone" };

/** How the service that looks up is set up. */
export interface Setting {
  serviceHost: string;
  /** Whether verified domains are registered with Cloudflare. */
  registers: boolean;
}

/**
 * Records what a look-up found, with the event of what follows from it, in one transaction. The row's `updated_at`
 * is the version that this is about: where another change came before, it is done again with the row after that,
 * so each event tells of the domain as it is, and is emitted once.
 */
export async function recordDnsResult(
  db: D1Database,
  before: DomainRow,
  found: DnsResult,
  moment: Moment,
  setting: Setting,
): Promise<RecordOutcome> {
  const webhookIds: string[] = [];
  for (let row = before, attempt = 1; attempt <= MAX_DOMAIN_CHANGE_ATTEMPTS; attempt++) {
    const results = await batchWithRetry(db, statementsOf(db, row, found, moment, setting));
    webhookIds.push(...wokenBy(results.at(-4)));
    const [changed, current, others] = results.slice(-3);
    const after = changed?.results[0] as DomainRow | undefined;
    if (after !== undefined) return { outcome: "recorded", row: after, webhookIds };
    const now = current?.results[0] as DomainRow | undefined;
    if (now === undefined) return { outcome: "gone" };
    if (now.updated_at === row.updated_at && others?.results[0] !== undefined) return { outcome: "claimed" };
    row = now;
  }
  throw new Error(`a domain was changed ${MAX_DOMAIN_CHANGE_ATTEMPTS} times while its look-up was recorded`);
}

const EVENTS: Partial<Record<Transition, "domain.verified" | "domain.lost">> = {
  verified: "domain.verified",
  lost: "domain.lost",
};

const CLAIMED = "SELECT 1 FROM domains WHERE domain = ?2 AND status = 'verified' AND id <> ?1";

/** The last four: what is owed to webhooks, the change, the row as it is, and whether it is another's. */
function statementsOf(
  db: D1Database,
  row: DomainRow,
  found: DnsResult,
  moment: Moment,
  setting: Setting,
): D1PreparedStatement[] {
  const after = applyDnsResult(row, found, moment, setting.registers);
  const transition = transitionOf(row, found, moment.now);
  return [
    ...(transition === "given_up"
      ? [noteHostname(db, "id = ?1 AND updated_at = ?2", [row.id, row.updated_at], moment.now)]
      : []),
    ...eventStatements(db, EVENTS[transition], row, toDomain(after, setting.serviceHost), moment.now),
    updateStatement(db, row, after),
    db.prepare(`SELECT ${DOMAIN_COLUMNS} FROM domains WHERE id = ?1`).bind(row.id),
    db.prepare(CLAIMED).bind(row.id, row.domain),
  ];
}

/** Before the change, which takes away what they depend on. */
function eventStatements(
  db: D1Database,
  type: "domain.verified" | "domain.lost" | undefined,
  row: DomainRow,
  data: Domain,
  now: number,
): D1PreparedStatement[] {
  if (type === undefined) return [db.prepare("SELECT NULL AS webhooks WHERE false")];
  const id = newId(now);
  const event = { id, accountId: row.account_id, type, data, now };
  const sql = `EXISTS (SELECT 1 FROM domains WHERE id = ?6 AND updated_at = ?7)
    AND NOT EXISTS (SELECT 1 FROM domains WHERE domain = ?8 AND status = 'verified' AND id <> ?6)`;
  const parameters = [row.id, row.updated_at, row.domain];
  return outboxStatements(db, accountEventSource(event, { sql, parameters }), id);
}

function updateStatement(db: D1Database, row: DomainRow, after: DomainRow): D1PreparedStatement {
  return db
    .prepare(
      `UPDATE domains SET status = ?4, txt_found = ?5, cname_found = ?6, checked_at = ?7, check_at = ?8,
         verified_at = ?9, lost_at = ?10, updated_at = ?11,
         hostname_id = iif(?12 IS NULL, NULL, hostname_id), hostname_error = iif(?12 IS NULL, NULL, hostname_error),
         hostname_at = iif(hostname_status IS NULL OR ?12 IS NULL, ?13, hostname_at),
         hostname_status = iif(hostname_status IS NULL OR ?12 IS NULL, ?12, hostname_status)
       WHERE id = ?1 AND updated_at = ?3 AND (?4 = 'pending' OR NOT EXISTS (${CLAIMED})) RETURNING ${DOMAIN_COLUMNS}`,
    )
    .bind(
      row.id,
      row.domain,
      row.updated_at,
      after.status,
      after.txt_found,
      after.cname_found,
      after.checked_at,
      after.check_at,
      after.verified_at,
      after.lost_at,
      after.updated_at,
      after.hostname_status,
      after.hostname_at,
    );
}
