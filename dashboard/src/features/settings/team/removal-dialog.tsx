import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { MemberBody } from "#src/identity/teams/schemas.ts";
import { switchAccount, useSession } from "#dashboard/session.ts";
import { texts } from "#dashboard/texts/index.ts";
import { ConfirmDialog } from "#dashboard/ui/dialog.tsx";
import { ErrorNotice } from "#dashboard/ui/notice.tsx";
import { showChange } from "#dashboard/ui/change-toast.ts";
import { readAgain } from "#dashboard/api/query-client.ts";
import { Skeleton } from "#dashboard/ui/layout.tsx";
import { isEmpty, readAccess } from "./access.ts";
import { EndingAccess } from "./ending-access.tsx";
import { removeMember } from "./queries.ts";

/** A former member, and the keys of this person that still work. */
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
  const [ends, setEnds] = useState(true);
  const access = useQuery({
    queryKey: ["members", "access", member.userId],
    queryFn: ({ signal }) => readAccess(teamId, member.userId, signal),
    // What was made a moment ago is in the list.
    gcTime: 0,
  });
  const remove = async () => {
    const { keys } = await removeMember(teamId, member.userId, ends);
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
  };
  return (
    <ConfirmDialog
      danger={(ends && access.data !== undefined && !isEmpty(access.data)) || "ends"}
      onClose={onClose}
      title={isMyself ? leaving.title(account.name) : removal.title(member.name)}
      description={isMyself ? leaving.text : removal.text}
      action={isMyself ? leaving.action : removal.action}
      busy={access.isPending}
      disabled={!isMyself && access.data === undefined}
      onConfirm={remove}
    >
      {access.isPending && <Skeleton className="h-16" />}
      {access.isError && <ErrorNotice error={access.error} onRetry={() => void access.refetch()} />}
      {access.data !== undefined && (
        <EndingAccess ending={access.data} name={isMyself ? null : member.name} ends={ends} onChange={setEnds} />
      )}
    </ConfirmDialog>
  );
}
