import { rolesWith, ROLES } from "../../../platform/auth/roles.ts";
import { hasRole } from "../../../platform/auth/store/conditions.ts";
import { allOf, holds, type Condition } from "../../../platform/database/parameters.ts";

/** Who made a link to set a member's new password, and in which team. */
export interface LinkMaker {
  accountId: number;
  userId: string;
}

/** The payload of a token that sets a new password. Without a maker, it was in a mail or is the operator's. */
export interface ResetPayload {
  by?: LinkMaker;
}

/** SQL for the place of a role: the higher the role, the lower the number. */
const placeOf = (role: string) => `instr('${ROLES.join(" ")}', ${role})`;

/**
 * Holds while the maker may have a link to set the person's password. Whoever has it can become this person, so the maker must
 * gain nothing: the person is no operator, in each of the person's teams the maker has a higher role, and no role of the person has
 * changed or ended as long as mails about that are kept (`MAIL_KEPT_MS`). The personal account is
 * the one that came with an invitation to this team: both have the same time.
 */
export function mayMakeLink({ accountId, userId: maker }: LinkMaker, userId: string): Condition {
  const isOfTeam = holds`EXISTS (SELECT 1 FROM memberships m JOIN users u ON u.id = m.user_id
    WHERE m.account_id = ${accountId} AND m.user_id = ${userId} AND m.joined_at = u.created_at)`;
  const isOperator = holds`EXISTS (SELECT 1 FROM operators WHERE user_id = ${userId})`;
  const place = { maker: () => placeOf("mine.role"), member: () => placeOf("theirs.role") };
  const hasMore = holds`EXISTS (SELECT 1 FROM memberships theirs
    JOIN accounts a ON a.id = theirs.account_id AND a.personal_user_id IS NULL
    LEFT JOIN memberships mine ON mine.account_id = theirs.account_id AND mine.user_id = ${maker}
    WHERE theirs.user_id = ${userId} AND coalesce(${place.maker} >= ${place.member}, true))`;
  // Else the maker could lower a peer first, and raise the peer again afterwards.
  const wasLowered = holds`EXISTS (SELECT 1 FROM users u JOIN mails m ON m.recipient_key = u.email_key
    WHERE u.id = ${userId} AND m.kind IN ('role_changed', 'membership_ended'))`;
  const isAdmin = hasRole(accountId, maker, rolesWith("members:write"));
  return allOf(isAdmin, holds`${isOfTeam} AND NOT ${isOperator} AND NOT ${hasMore} AND NOT ${wasLowered}`);
}
