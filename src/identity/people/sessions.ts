import { addPersonEntry } from "../../access/audit/person-entry.ts";
import { addConfirmation } from "../../platform/auth/require-confirmed.ts";
import { Batch } from "../../platform/database/batch.ts";
import { allOf, ALWAYS } from "../../platform/database/parameters.ts";
import { notFound } from "../../platform/http/errors.ts";
import { isId } from "../../platform/lib/uuid.ts";
import { SESSION_TTL_MS } from "../../limits.ts";
import { endAccess } from "./access/store.ts";
import { renewDevice } from "./browser-cookies.ts";
import type { SessionBody } from "./schemas.ts";
import type { Session, SessionContext } from "../../access/sessions/session.ts";
import * as store from "../../access/sessions/store/sessions.ts";

/** The session on the wire. `currentId` is that of the request. */
export function toSessionBody(session: Session, currentId: string): SessionBody {
  const { id, device, browser, browserVersion, os, osVersion, country, createdAt, lastSeenAt, confirmedAt } = session;
  const client = { device, browser, browserVersion, os, osVersion, country };
  const expiresAt = createdAt + SESSION_TTL_MS;
  return { id, current: id === currentId, ...client, createdAt, lastSeenAt, confirmedAt, expiresAt };
}

/** Ends a session of the person: the own one, or another one after the identity was confirmed. */
export async function endSession(context: SessionContext, id: string): Promise<void> {
  const { db, now, session } = context;
  const userId = session.user.id;
  const batch = new Batch(db);
  const confirmation = id === session.id ? null : addConfirmation(batch, session, now);
  if (!isId(id)) throw sessionNotFound();
  const allowed = confirmation?.holds ?? ALWAYS;
  const entry = { action: "session.end", targetId: id } as const;
  addPersonEntry(batch, context, userId, entry, allOf(allowed, store.hasSession(userId, id)));
  const ended = store.endSession(batch, userId, id, allowed);
  await batch.commit();
  confirmation?.require();
  if (ended.first === undefined) throw sessionNotFound();
}

/**
 * Ends all sessions of the person but the present one, the device cookies and, if wanted, what reads without a session.
 * Returns a new device cookie for this browser.
 */
export async function endOtherSessions(context: SessionContext, endsAccess: boolean): Promise<string> {
  const { db, now, session } = context;
  const batch = new Batch(db);
  const confirmation = addConfirmation(batch, session, now);
  addPersonEntry(batch, context, session.user.id, { action: "session.end", targetId: null }, confirmation.holds);
  store.endSessions(batch, session.user.id, session.id, confirmation.holds);
  if (endsAccess) endAccess(batch, context, session.user.id, confirmation.holds);
  const device = await renewDevice(batch, context, session.user, confirmation.holds);
  await batch.commitWithRetry();
  confirmation.require();
  return device;
}

const sessionNotFound = () => notFound("not_found", { resource: "session" });
