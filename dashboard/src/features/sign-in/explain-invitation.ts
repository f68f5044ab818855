import type { ReceivedInvitation } from "../../api/types.ts";
import { texts } from "../../texts/index.ts";

/** Who invites to which team, as which role, and what joining means. */
export function explainInvitation({ team, inviter, role }: ReceivedInvitation): string {
  const { lead, operator, meaning } = texts.signIn.invitation;
  return `${lead(inviter ?? operator, team.name, texts.settings.roles[role])} ${meaning}`;
}
