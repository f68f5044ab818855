import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "#dashboard/api/client.ts";
import { queryClient } from "#dashboard/api/query-client.ts";
import { formatMoment } from "#dashboard/lib/format.ts";
import { forgetSession, switchAccount, useSession } from "#dashboard/session.ts";
import { texts } from "#dashboard/texts/index.ts";
import { CautionSection } from "#dashboard/ui/caution-section.tsx";
import { FormDialog } from "#dashboard/ui/form-dialog.tsx";
import { InputField } from "#dashboard/ui/field.tsx";
import { Section } from "#dashboard/ui/layout.tsx";
import { fieldError } from "#dashboard/ui/notice.tsx";
import { showProblem } from "#dashboard/ui/change-toast.ts";
import { showToast } from "#dashboard/ui/toast.tsx";
import { restoreAccount } from "./restore-account.ts";
import { focusOnly } from "#dashboard/lib/focus.ts";

const { deletion } = texts.person;

export function DeletionSection() {
  const { account, can } = useSession();
  const { title, lead, action } = deletion[account.kind];
  if (!can("account:write"))
    return (
      <Section title={title} lead={lead}>
        <p className="text-soft">{deletion.onlyOwners}</p>
      </Section>
    );
  return (
    <CautionSection
      title={title}
      lead={lead}
      action={action}
      renderDialog={(onClose) => <DeletionDialog onClose={onClose} />}
    />
  );
}

function DeletionDialog({ onClose }: { onClose: () => void }) {
  const { account } = useSession();
  const [name, setName] = useState("");
  const [mismatch, setMismatch] = useState(false);
  const finish = useFinish();
  const removal = useMutation({
    mutationFn: () => call<{ deletesAt: number }>("DELETE", "/api/account", { body: { confirm: name } }),
    onSuccess: ({ deletesAt }) => finish(deletesAt),
  });
  const words = deletion[account.kind];
  const submit = (form: HTMLFormElement) => {
    setMismatch(name !== account.name);
    if (name !== account.name) focusOnly(form);
    else removal.mutate();
  };
  const wrong = fieldError(removal.error, "confirm");
  return (
    <FormDialog
      size="small"
      onClose={onClose}
      title={words.title}
      description={words.lead}
      action={words.action}
      danger
      save={removal}
      error={wrong === undefined ? removal.error : null}
      noValidate
      onSubmit={submit}
    >
      <InputField
        label={deletion.confirm(account.name)}
        error={mismatch ? deletion.mismatch(account.name) : wrong}
        autoComplete="off"
        spellCheck={false}
        autoFocus="always"
        value={name}
        onValue={setName}
      />
    </FormDialog>
  );
}

/** Returns what leaves the deleted account: a person has to sign in again, a member of a team goes to the own account. */
function useFinish(): (deletesAt: number) => Promise<void> {
  const { account, accounts } = useSession();
  const navigate = useNavigate();
  return async (deletesAt) => {
    const until = formatMoment(deletesAt);
    if (account.kind === "personal") {
      await navigate({ to: "/sign-in" });
      forgetSession();
      showToast({ title: deletion.personal.done, text: deletion.personal.doneText(until) });
      return;
    }
    const own = accounts.find(({ kind }) => kind === "personal");
    if (own !== undefined) switchAccount(own.id);
    await queryClient.invalidateQueries({ queryKey: ["session"] });
    await navigate({ to: "/links" });
    const undo = () => void restoreAccount(account).catch(showProblem);
    showToast({
      title: deletion.team.done(account.name),
      text: deletion.team.doneText(until),
      action: { label: texts.ui.undo, run: undo },
    });
  };
}
