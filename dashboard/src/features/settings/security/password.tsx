import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError, call } from "#dashboard/api/client.ts";
import { useSession } from "#dashboard/session.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Button } from "#dashboard/ui/button.tsx";
import { FormDialog } from "#dashboard/ui/form-dialog.tsx";
import { PasswordField } from "#dashboard/ui/password-field.tsx";
import { Section } from "#dashboard/ui/layout.tsx";
import { fieldError } from "#dashboard/ui/notice.tsx";
import { showToast } from "#dashboard/ui/toast.tsx";
import { focusOn } from "#dashboard/lib/focus.ts";
import { NewPasswordField } from "#dashboard/identity/new-password-field.tsx";
import { PersonAccessField, usePersonAccess } from "./person-access.tsx";
import { readAgain } from "./queries.ts";

const { password: page } = texts.person;

export function PasswordSection() {
  const [isOpen, setOpen] = useState(false);
  return (
    <Section
      title={page.title}
      lead={page.lead}
      actions={<Button onClick={() => setOpen(true)}>{page.change}</Button>}
      className="[&>header]:mb-0"
    >
      {isOpen && <PasswordDialog onClose={() => setOpen(false)} />}
    </Section>
  );
}

function PasswordDialog({ onClose }: { onClose: () => void }) {
  const { user, accounts } = useSession();
  const [currentPassword, setCurrent] = useState("");
  const [password, setPassword] = useState("");
  const access = usePersonAccess();
  const [ends, setEnds] = useState(true);
  const [missing, setMissing] = useState({ current: false, password: false });
  const change = useMutation({
    mutationFn: () =>
      call("POST", "/api/auth/password/change", { body: { currentPassword, password, endAccess: ends } }),
    onSuccess: async () => {
      onClose();
      showToast({ title: page.changed, text: page.changedText });
      await readAgain();
    },
  });
  const submit = (form: HTMLFormElement) => {
    const lacks = { current: currentPassword === "", password: password === "" };
    setMissing(lacks);
    if (lacks.current || lacks.password) focusOn(form, lacks);
    else change.mutate();
  };
  const { error } = change;
  const isWrong = error instanceof ApiError && error.code === "invalid_credentials";
  const tooWeak = fieldError(error, "password");
  return (
    <FormDialog
      size="small"
      onClose={onClose}
      title={page.change}
      description={page.lead}
      action={page.change}
      save={change}
      disabled={access.isPending}
      error={isWrong || tooWeak !== undefined ? null : error}
      noValidate
      onSubmit={submit}
    >
      <input type="text" autoComplete="username" value={user.email} readOnly hidden />
      <PasswordField
        label={page.current}
        hint={page.forgot}
        error={missing.current ? page.currentMissing : isWrong && error.message}
        name="current"
        autoComplete="current-password"
        autoFocus
        value={currentPassword}
        onValue={setCurrent}
      />
      <NewPasswordField
        owner={{ name: user.name, email: user.email, accounts: accounts.map(({ name }) => name) }}
        error={missing.password ? texts.signIn.passwordMissing : tooWeak}
        value={password}
        onValue={setPassword}
      />
      <PersonAccessField access={access} ends={ends} onChange={setEnds} />
    </FormDialog>
  );
}
