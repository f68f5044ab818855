import { keyAllows } from "../../auth/store.ts";
import { rolesWith } from "../../auth/roles.ts";
import { isEnabledAccount, isLive } from "../../database/account-states.ts";
import { Batch } from "../../database/batch.ts";
import { allOf, type Condition } from "../../database/parameters.ts";
import { sessionActs } from "../../people/sessions/store/accounts.ts";
import { addCheck } from "../../people/users/store.ts";
import type { Viewer } from "./live-viewer.ts";

/** Returns the ids of those viewers who may read the account's clicks now. One round trip to the primary database. */
export async function findAllowedViewers(
  db: D1Database,
  accountId: number,
  viewers: readonly Viewer[],
  now: number,
): Promise<Set<string>> {
  const byId = new Map(viewers.map((viewer) => [viewer.id, viewer]));
  const batch = new Batch(db);
  const checks = [...byId].map(([id, viewer]) => [id, addCheck(batch, mayWatch(accountId, viewer, now))] as const);
  await batch.commitWithRetry();
  return new Set(checks.flatMap(([id, check]) => (check.first === undefined ? [] : [id])));
}

function mayWatch(accountId: number, { type, id }: Viewer, now: number): Condition {
  if (type === "session") return sessionActs(accountId, id, rolesWith("clicks:read"), now);
  return allOf(keyAllows(accountId, id, ["clicks:read"], now), isLive(accountId), isEnabledAccount(accountId));
}
