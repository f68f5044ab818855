import { useMutation } from "@tanstack/react-query";
import type { MemberBody } from "../../../../../src/teams/schemas.ts";
import { switchAccount, useSession } from "../../../session.ts";
import { texts } from "../../../texts/index.ts";
import { ConfirmDialog } from "../../../ui/dialog.tsx";
import { showChange } from "../change-toast.ts";
import { readAgain } from "../queries.ts";
import { removeMember } from "./queries.ts";

/** A former member, and the keys of the team that this person created. */
export interface Removed {
  name: string;
  keys: { id: string; name: string }[];
}

interface Props {
  teamId: string;
  member: MemberBody;
  onClose: () => void;
  onRemoved: (removed: Removed) => void;
}

/** Removes a member, or lets the person leave. */
export function RemovalDialog({ teamId, member, onClose, onRemoved }: Props) {
  const { removal, leaving } = texts.team;
  const { user, account, accounts } = useSession();
  const isMyself = member.userId === user.id;
  const remove = useMutation({
    mutationFn: () => removeMember(teamId, member.userId),
    onSuccess: async (keys) => {
      onClose();
      if (isMyself) {
        const personal = accounts.find(({ kind }) => kind === "personal");
        if (personal !== undefined) switchAccount(personal.id);
        showChange(leaving.done(account.name));
        await readAgain("session");
        return;
      }
      showChange(removal.done(member.name));
      onRemoved({ name: member.name, keys });
      await readAgain("members", "invitations");
    },
  });
  return (
    <ConfirmDialog
      danger="ends"
      onClose={onClose}
      title={isMyself ? leaving.title(account.name) : removal.title(member.name)}
      description={isMyself ? leaving.text : removal.text}
      action={isMyself ? leaving.action : removal.action}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
    />
  );
}
