import { prepareChange } from "../../access/audit/change.ts";
import { expectSubscriptionChange } from "../../click-log/log/stub.ts";
import { requirePermissions, accessChanged } from "../../platform/auth/require-permissions.ts";
import { forbidden, limitReached, notFound } from "../../platform/http/errors.ts";
import type { Page } from "../../platform/http/pagination.ts";
import { isId, newId } from "../../platform/lib/uuid.ts";
import type { EventType } from "../../platform/outbox/event-types.ts";
import { sendWakeUps } from "../../platform/outbox/messages.ts";
import { permissionsOf } from "../event-permissions.ts";
import { mask, newSecret } from "../secret.ts";
import type { Listener, ListenerEventType, ListenerWithSecret } from "./contract.ts";
import * as store from "./store/listeners.ts";
import type { RequestContext } from "../../platform/auth/principal.ts";
import { LISTENER_TTL_MS, MAX_LISTENERS_PER_ACCOUNT } from "./limits.ts";

/** Creates, finds and deletes listeners of the caller's account. */

const PERMISSION = "webhooks:write";

export async function createListener(
  context: RequestContext,
  { events }: { events: ListenerEventType[] },
): Promise<ListenerWithSecret> {
  const { env, db, now, principal } = context;
  requirePermissions(principal, permissionsOf(events));
  const id = newId(now);
  const { secret, ...stored } = await newSecret(env, id);
  if (events.includes("link.click")) await expectSubscriptionChange(context);
  const outcome = await store.insertListener(db, prepareChange(context, PERMISSION), { id, events, ...stored });
  if (outcome === "demoted") throw accessChanged(context.principal);
  if (outcome === "limit_reached")
    throw limitReached("limit_reached", { resource: "listener", max: MAX_LISTENERS_PER_ACCOUNT });
  return { id, events, secret, createdAt: now, expiresAt: now + LISTENER_TTL_MS };
}

export const listenerNotFound = () => notFound("not_found", { resource: "listener" });

/** Returns the account's listeners, newest first, with one more than the page holds. */
export async function listListeners({ db, principal, now }: RequestContext, page: Page): Promise<Listener[]> {
  const rows = await store.listListeners(db, principal.accountId, page, now);
  return rows.map(({ id, events, secret_start, created_at, expires_at }) => ({
    id,
    events: JSON.parse(events) as ListenerEventType[],
    secret: mask(secret_start),
    createdAt: created_at,
    expiresAt: expires_at,
  }));
}

/** A listener of the caller's account. */
export interface FoundListener {
  id: string;
  events: EventType[];
  /** Encrypted. */
  secret: string;
}

/** Returns the account's listener. Throws 404 if it does not exist, and 403 if it belongs to another account. */
export async function getListener({ db, principal, now }: RequestContext, id: string): Promise<FoundListener> {
  const row = isId(id) ? await store.findListener(db, id, now) : null;
  if (row === null) throw listenerNotFound();
  if (row.account_id !== principal.accountId) throw forbidden("of_another_account", { resource: "listener" });
  return { id: row.id, events: JSON.parse(row.events) as EventType[], secret: row.secret };
}

export async function deleteListener(context: RequestContext, id: string): Promise<void> {
  const { db } = context;
  const listener = await getListener(context, id);
  const waitingIds = await store.deleteListener(db, prepareChange(context, PERMISSION), listener.id);
  if (waitingIds === null) throw accessChanged(context.principal);
  context.waitUntil(sendWakeUps(context.env, waitingIds));
}
