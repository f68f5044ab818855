import { HOUR_MS } from "../../../../src/duration.ts";
import { readStored, store } from "../../lib/storage.ts";

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

/** The token of an invitation makes whoever has it a member. So it stays no longer than a sign-in takes, and in this tab only. */
const KEPT_INVITATION_MS = HOUR_MS;

/** The invitation that waits for an answer: a person may have to sign in or up first. */
export function readInvitation(): string | null {
  const [keptAt, token = null] = readStored(INVITATION, "tab")?.split(" ") ?? [];
  if (Date.now() - Number(keptAt) < KEPT_INVITATION_MS) return token;
  keepInvitation(null);
  return null;
}

export function keepInvitation(token: string | null): void {
  store(INVITATION, token === null ? null : `${Date.now()} ${token}`, "tab");
}
