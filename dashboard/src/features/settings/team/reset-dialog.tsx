import type { MemberBody } from "#src/identity/teams/schemas.ts";
import { texts } from "#dashboard/texts/index.ts";
import { ConfirmDialog } from "#dashboard/ui/dialog.tsx";
import type { HandedLink } from "./link-dialog.tsx";
import { makeResetLink } from "./queries.ts";

interface Props {
  teamId: string;
  member: MemberBody;
  onClose: () => void;
  onMade: (handed: HandedLink) => void;
}

/** Asks before it makes a link with which a member sets a new password. */
export function ResetDialog({ teamId, member: { userId, name }, onClose, onMade }: Props) {
  const { title, text, action } = texts.team.reset;
  const make = async () => {
    onMade({ kind: "reset", person: name, link: await makeResetLink(teamId, userId) });
    onClose();
  };
  return <ConfirmDialog onClose={onClose} title={title(name)} description={text} action={action} onConfirm={make} />;
}
