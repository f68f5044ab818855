import { describeError, log } from "../../lib/log.ts";
import type { Parts } from "./parts.ts";
import { ALARM_RETRY_MS, PENDING_EVENTS_RETRY_MS } from "../limits.ts";

/** Does what is due, and sets the next alarm. The account is not purged. */
export async function runAlarm(parts: Parts, env: Env, deletedLinks: Set<string>, maxBytes: number): Promise<void> {
  const { alarm, anonymous, maintenance, memory, pending, retention, subscriptions } = parts;
  const now = Date.now();
  // First, so that there is a next alarm whatever fails below.
  await alarm.set(now + ALARM_RETRY_MS);
  try {
    pending.deleteExpired(now);
    // Half of the time: not the events that a running call may still send.
    const { sendPendingEvents } = await import("./events.ts");
    await sendPendingEvents(env.CLICK_EVENTS, pending, pending.storedBefore(now - PENDING_EVENTS_RETRY_MS / 2));
    if (now >= retention.checkAt) parts.takeRetention(await retention.find(env.DB, now), now);
    await maintenance.run(memory.salts, anonymous, deletedLinks, now);
    const workAt = await parts.makeRoom(maxBytes, now);
    // Meanwhile the account may have been purged, which has set the alarm that removes its mark.
    if (subscriptions.isAccountGone) return;
    await alarm.set(pending.isEmpty() ? workAt : now + PENDING_EVENTS_RETRY_MS);
  } catch (error) {
    log("error", "click_log_alarm_failed", describeError(error));
  }
}
