import type { AccountChange } from "../../access/audit/change.ts";
import { Batch } from "../../platform/database/batch.ts";
import { holds, Parameters } from "../../platform/database/parameters.ts";
import type { EventType } from "../../platform/outbox/event-types.ts";
import { readOwner, SENDS, toRefusal } from "./refusal.ts";
import { IS_WEBHOOK, SELECT_WEBHOOK, type TargetRow, type WebhookRow } from "./row.ts";
import type { ChangeOutcome } from "./change.ts";
import { MAX_SIGNING_SECRETS } from "../limits.ts";

/** The signing secrets of webhooks, encrypted: the present one, and replaced ones that still sign for a time. */

interface OldSecret {
  secret: string;
  /** It signs before this time, Unix milliseconds. */
  until: number;
}

/** The replaced secrets that sign at `now`, newest first. */
function oldSecretsOf({ old_secrets }: Pick<TargetRow, "old_secrets">, now: number): OldSecret[] {
  return (JSON.parse(old_secrets) as OldSecret[]).filter(({ until }) => until > now);
}

/** The encrypted secrets that sign at `now`, newest first. */
export function signingSecretsOf(row: TargetRow, now: number): string[] {
  return [row.secret, ...oldSecretsOf(row, now).map(({ secret }) => secret)];
}

export interface NewSecret {
  sealedSecret: string;
  secretStart: string;
  /** The present secret signs until this time. */
  oldUntil: number;
}

/** The result of a rotation. `full`: {@link MAX_SIGNING_SECRETS} sign; `possibleAt` is when the first of them ends. */
export type RotationOutcome = ChangeOutcome | { outcome: "full"; possibleAt: number };

const SIGNING_OLD_SECRETS = "FROM json_each(old_secrets) WHERE value ->> 'until' > ?6";

/**
 * Gives the webhook a new secret, unless {@link MAX_SIGNING_SECRETS} sign or it sends one of the `excluded` events. Both are
 * conditions of the UPDATE, so concurrent rotations cannot end a secret early.
 */
export async function rotateSecret(
  db: D1Database,
  { accountId, now, isAllowed, record }: AccountChange,
  id: string,
  { sealedSecret, secretStart, oldUntil }: NewSecret,
  excluded: readonly EventType[],
): Promise<RotationOutcome> {
  const batch = new Batch(db);
  const owner = readOwner(batch, id, isAllowed, excluded);
  const values = [id, accountId, sealedSecret, secretStart, oldUntil, now, JSON.stringify(excluded)];
  const parameters = new Parameters(values);
  // A repetition after a lost response must not rotate again.
  batch.add(
    `UPDATE webhooks SET secret = ?3, secret_start = ?4, old_secrets = (
       SELECT json_group_array(json(value)) FROM (
         SELECT -1 AS key, json_object('secret', secret, 'until', ?5) AS value
         UNION ALL SELECT key, value ${SIGNING_OLD_SECRETS} ORDER BY key))
     WHERE id = ?1 AND account_id = ?2 AND ${IS_WEBHOOK} AND secret <> ?3 AND instr(old_secrets, ?3) = 0
       AND (SELECT count(*) ${SIGNING_OLD_SECRETS}) < ${MAX_SIGNING_SECRETS - 1}
       AND NOT EXISTS (SELECT 1 FROM json_each(?7) x WHERE ${SENDS}) AND ${isAllowed(parameters)}`,
    parameters.values,
  );
  record(
    batch,
    "webhook.rotate_secret",
    id,
    holds`EXISTS (SELECT 1 FROM webhooks WHERE id = ${id} AND secret = ${sealedSecret})`,
  );
  const stored = batch.add<WebhookRow>(SELECT_WEBHOOK, [id]);
  await batch.commitWithRetry();
  const refusal = toRefusal(owner.first, accountId);
  if (refusal !== null || stored.first === undefined) return refusal ?? { outcome: "not_found" };
  const row = stored.first;
  if (row.secret === sealedSecret || row.old_secrets.includes(sealedSecret)) return { outcome: "changed", row };
  return { outcome: "full", possibleAt: Math.min(...oldSecretsOf(row, now).map(({ until }) => until)) };
}
