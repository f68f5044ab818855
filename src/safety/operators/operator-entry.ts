import { notFound } from "../../platform/http/errors.ts";
import { newId } from "../../platform/lib/uuid.ts";
import type { SessionContext } from "../../access/sessions/session.ts";
import type { NewEntry } from "./store.ts";

/** The record of what the operator of the session does. */
export function toEntry(
  { now, country, session }: SessionContext,
  action: NewEntry["action"],
  subject: string,
  details: NewEntry["details"],
): NewEntry {
  return { id: newId(now), operatorId: session.user.id, action, subject, details, country, now };
}

/** For a person who has lost the role between the check of the request and its change. */
export const noOperator = () => notFound("access_changed", { resource: "role" });
