import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { AccountOfUser } from "#dashboard/api/types.ts";
import { switchAccount, useSession } from "#dashboard/session.ts";
import { texts } from "#dashboard/texts/index.ts";
import { CautionSection } from "#dashboard/ui/caution-section.tsx";
import { FormDialog } from "#dashboard/ui/form-dialog.tsx";
import { InputField } from "#dashboard/ui/field.tsx";
import { explainError } from "#dashboard/ui/notice.tsx";
import { showChange } from "#dashboard/ui/change-toast.ts";
import { readAgain } from "#dashboard/api/query-client.ts";
import { deleteTeam, restoreTeam } from "./queries.ts";

export function DeletionSection({ team }: { team: AccountOfUser }) {
  const { title, text, action } = texts.team.deletion;
  return (
    <CautionSection
      title={title}
      lead={text}
      action={action}
      renderDialog={(onClose) => <DeletionDialog team={team} onClose={onClose} />}
    />
  );
}

function DeletionDialog({ team, onClose }: { team: AccountOfUser; onClose: () => void }) {
  const { text, action, confirmTitle, confirm, done } = texts.team.deletion;
  const { accounts } = useSession();
  const [name, setName] = useState("");
  const remove = useMutation({
    mutationFn: () => deleteTeam(team.id, name),
    onSuccess: async () => {
      const personal = accounts.find(({ kind }) => kind === "personal");
      if (personal !== undefined) switchAccount(personal.id);
      showChange(done(team.name), async () => {
        await restoreTeam(team.id);
        switchAccount(team.id);
      });
      await readAgain("session");
    },
  });
  return (
    <FormDialog
      size="small"
      onClose={onClose}
      title={confirmTitle(team.name)}
      description={text}
      action={action}
      danger
      save={remove}
      error={null}
      disabled={name.trim() !== team.name}
    >
      <InputField
        label={confirm(team.name)}
        error={remove.error === null ? undefined : explainError(remove.error)}
        autoFocus="always"
        autoComplete="off"
        value={name}
        onValue={setName}
      />
    </FormDialog>
  );
}
