import { limitReached } from "../../../platform/http/errors.ts";
import { MAX_MEMBERS_PER_TEAM } from "../../../limits.ts";
import type { VisitorContext } from "../../../access/sessions/session.ts";
import { deadToken } from "../tokens/dead-token.ts";
import { hashToken } from "../../../platform/lib/token.ts";
import type { ReceivedInvitation } from "./contract.ts";
import { findOpenInvitation } from "./store/answers.ts";

/** The invitation of the token, as the invited person sees it. */
export async function readInvitation(
  { db, now }: Pick<VisitorContext, "db" | "now">,
  token: string,
): Promise<ReceivedInvitation> {
  const invitation = await findOpenInvitation(db, await hashToken(token), now);
  if (invitation === null) throw deadToken();
  const { team, inviter, email, role, expiresAt } = invitation;
  return { team, inviter, email, role, expiresAt };
}

/** The error of an answer if {@link hasRoomToJoin} does not hold. */
export const teamIsFull = () => limitReached("limit_reached", { resource: "member", max: MAX_MEMBERS_PER_TEAM });
