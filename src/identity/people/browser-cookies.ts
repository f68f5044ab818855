import type { Batch } from "../../platform/database/batch.ts";
import type { Condition } from "../../platform/database/parameters.ts";
import { hashToken, newToken } from "../../platform/lib/token.ts";
import { newId } from "../../platform/lib/uuid.ts";
import type { SessionContext, VisitorContext } from "../../access/sessions/session.ts";
import { newDeviceCookie } from "../../access/sessions/start-session.ts";
import { renewSession } from "../../access/sessions/store/sessions.ts";
import { emailKey } from "../../platform/mail/email-address.ts";
import { setDeviceEpoch } from "./users/store.ts";

/** The new cookies of a browser after a change of how the person signs in. */
export interface BrowserCookies {
  session: string;
  device: string;
}

/** Gives the browser of the request new cookies, if the condition holds. Device cookies of other browsers end. */
export async function renewCookies(
  batch: Batch,
  context: SessionContext,
  email: string,
  condition: Condition,
): Promise<BrowserCookies> {
  const session = newToken();
  const { user } = context.session;
  const device = await renewDevice(batch, context, { id: user.id, email }, condition);
  renewSession(batch, context.session, await hashToken(session), condition);
  return { session, device };
}

/** Ends the person's device cookies, if the condition holds. Returns a new one for the browser of the request. */
export function renewDevice(
  batch: Batch,
  context: VisitorContext,
  { id, email }: { id: string; email: string },
  condition: Condition,
): Promise<string> {
  const deviceEpoch = newId(context.now);
  setDeviceEpoch(batch, id, deviceEpoch, condition);
  return newDeviceCookie(context, { emailKey: emailKey(email), deviceEpoch });
}
