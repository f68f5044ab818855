import { useState } from "react";
import type { Role } from "#src/platform/auth/roles.ts";
import type { LastingAccess, MemberBody } from "#src/identity/teams/schemas.ts";
import { useSession } from "#dashboard/session.ts";
import { texts } from "#dashboard/texts/index.ts";
import { ConfirmDialog } from "#dashboard/ui/dialog.tsx";
import { showChange } from "#dashboard/ui/change-toast.ts";
import { EndingAccess } from "./ending-access.tsx";
import { setRole } from "./queries.ts";

interface Props {
  teamId: string;
  member: MemberBody;
  role: Role;
  /** What the new role does not allow. */
  ending: LastingAccess;
  onClose: () => void;
}

/** Asks before a lower role ends what the member made. */
export function RoleDialog({ teamId, member, role, ending, onClose }: Props) {
  const { demotion, members } = texts.team;
  const { roles } = texts.settings;
  const { user } = useSession();
  const [ends, setEnds] = useState(true);
  const change = async () => {
    await setRole(teamId, member.userId, role, ends);
    onClose();
    showChange(members.changed(member.name, roles[role]));
  };
  return (
    <ConfirmDialog
      danger={ends || "ends"}
      onClose={onClose}
      title={demotion.title(member.name, roles[role])}
      description={demotion.text}
      action={demotion.action}
      onConfirm={change}
    >
      <EndingAccess
        ending={ending}
        name={member.userId === user.id ? null : member.name}
        ends={ends}
        onChange={setEnds}
      />
    </ConfirmDialog>
  );
}
