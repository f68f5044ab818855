import { credentialAllows } from "../../auth/credential.ts";
import { Batch } from "../../database/batch.ts";
import type { Viewer } from "./live-viewer.ts";
import { addCheck } from "../../database/check.ts";

/** Returns the ids of those viewers who may read the account's clicks now. One round trip to the primary database. */
export async function findAllowedViewers(
  db: D1Database,
  accountId: number,
  viewers: readonly Viewer[],
  now: number,
): Promise<Set<string>> {
  const byId = new Map(viewers.map((viewer) => [viewer.id, viewer]));
  const batch = new Batch(db);
  const checks = [...byId].map(
    ([id, viewer]) => [id, addCheck(batch, credentialAllows(accountId, viewer, ["clicks:read"], now))] as const,
  );
  await batch.commitWithRetry();
  return new Set(checks.flatMap(([id, check]) => (check.first === undefined ? [] : [id])));
}
