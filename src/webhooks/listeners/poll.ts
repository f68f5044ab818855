import { requirePermissions } from "../../platform/auth/require-permissions.ts";
import { credentialAllows, credentialOf } from "../../platform/auth/credential.ts";
import { invalidField } from "../../platform/http/errors.ts";
import { open } from "../../platform/lib/encryption.ts";
import { SECOND_MS } from "../../limits.ts";
import { deliveryHeaders } from "../delivery/signature.ts";
import { permissionsOf } from "../event-permissions.ts";
import type { Poll, PollQuery } from "./contract.ts";
import { getListener, listenerNotFound, type FoundListener } from "./listeners.ts";
import { listEvents, type KeptEvent } from "./store/events.ts";
import { readPoll, startPoll } from "./store/listeners.ts";
import type { RequestContext } from "../../platform/auth/principal.ts";
import { LISTENER_READ_INTERVAL_MS } from "./limits.ts";

/**
 * Returns the events after the cursor. Without any, it waits for one, up to `wait` seconds, and reads the database each
 * {@link LISTENER_READ_INTERVAL_MS}. It ends without events if a newer poll of the listener begins or the caller loses the right,
 * and with a 404 if the listener is deleted.
 */
export async function pollListener(
  context: RequestContext,
  id: string,
  { after: cursor = "", wait = 0 }: PollQuery,
): Promise<Poll> {
  const { db, principal, now } = context;
  const listener = await getListener(context, id);
  const permissions = permissionsOf(listener.events);
  requirePermissions(principal, permissions);
  const pollId = crypto.randomUUID();
  if (!(await startPoll(db, id, pollId, now))) throw listenerNotFound();
  const after = Number(cursor);
  const startedAt = Date.now();
  for (;;) {
    // The request's time passes on while it waits.
    const waitedMs = Date.now() - startedAt;
    const time = now + waitedMs;
    const isAllowed = credentialAllows(
      principal.accountId,
      credentialOf(principal),
      ["webhooks:write", ...permissions],
      time,
    );
    const state = await readPoll(db, id, { pollId, isAllowed, now: time });
    if (state === null) throw listenerNotFound();
    if (state.lastOffset < after) throw invalidField("after", "not_a_cursor");
    if (state.goesOn === 0) return { events: [], next: String(after), missed: false };
    if (state.lastOffset > after) return readEvents(context, listener, { after, last: state.lastOffset, time });
    if (waitedMs >= wait * SECOND_MS) return { events: [], next: String(after), missed: false };
    await scheduler.wait(Math.min(LISTENER_READ_INTERVAL_MS, wait * SECOND_MS - waitedMs));
  }
}

/** The events after the cursor, signed. If none of them is kept any more, the next cursor is behind them. */
async function readEvents(
  { env, db }: RequestContext,
  { id, secret }: FoundListener,
  { after, last, time }: { after: number; last: number; time: number },
): Promise<Poll> {
  const kept = await listEvents(db, id, after, time);
  const secrets = [await open(env.ENCRYPTION_KEYS, secret, id)];
  const events = await Promise.all(kept.map((event) => toDelivery(event, secrets, time)));
  return { events, next: String(kept.at(-1)?.end ?? last), missed: (kept[0]?.start ?? last) > after };
}

async function toDelivery(event: KeptEvent, secrets: readonly string[], time: number): Promise<Poll["events"][number]> {
  const headers = await deliveryHeaders(secrets, event, time);
  return { id: event.id, cursor: String(event.end), headers, body: event.body };
}
