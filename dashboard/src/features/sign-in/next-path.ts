import { keep, readKept } from "../../lib/kept.ts";

/** Where people go who have signed in. */
const START = "/app/links";

/** The path of the dashboard in `?next=`. Anything else, such as another site, is not followed. */
export function toNextPath(next: unknown): string {
  if (typeof next !== "string" || !URL.canParse(next, location.origin)) return START;
  const { origin, pathname, search, hash } = new URL(next, location.origin);
  const isOurs = origin === location.origin && pathname.startsWith("/app/") && !pathname.startsWith("/app/sign-in");
  return isOurs ? pathname + search + hash : START;
}

/** The page of an invitation, to which people come back who sign in or up for it. */
export const INVITATION_PATH = "/app/invitation";

const INVITATION = "invitation";

/** The invitation that waits for an answer. Anybody with its token can become a member, so it is kept in this tab only. */
export const readInvitation = (): string | null => readKept(INVITATION, "tab");

export const keepInvitation = (token: string | null): void => keep(INVITATION, token, "tab");
