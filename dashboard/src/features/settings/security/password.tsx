import { useMutation } from "@tanstack/react-query";
import { useId, useState, type FormEvent } from "react";
import { ApiError, call } from "../../../api/client.ts";
import { useSession } from "../../../session.ts";
import { texts } from "../../../texts/index.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { PasswordField } from "../../../ui/input-field.tsx";
import { Section } from "../../../ui/layout.tsx";
import { explainError, fieldError, Notice } from "../../../ui/notice.tsx";
import { showToast } from "../../../ui/toast.tsx";
import { focusOn } from "../../../lib/focus.ts";
import { NewPasswordField } from "../../../identity/new-password-field.tsx";
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
  const form = useId();
  const [currentPassword, setCurrent] = useState("");
  const [password, setPassword] = useState("");
  const [missing, setMissing] = useState({ current: false, password: false });
  const change = useMutation({
    mutationFn: () => call("POST", "/api/auth/password/change", { body: { currentPassword, password } }),
    onSuccess: async () => {
      onClose();
      showToast({ title: page.changed, text: page.changedText });
      await readAgain();
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const lacks = { current: currentPassword === "", password: password === "" };
    setMissing(lacks);
    if (lacks.current || lacks.password) focusOn(event.currentTarget, lacks);
    else if (!change.isPending) change.mutate();
  };
  const { error } = change;
  const isWrong = error instanceof ApiError && error.code === "invalid_credentials";
  const tooWeak = fieldError(error, "password");
  return (
    <Dialog
      size="small"
      open
      onOpenChange={(open) => !open && onClose()}
      closesOutside={false}
      title={page.change}
      description={page.lead}
      footer={
        <>
          <Button onClick={onClose}>{texts.ui.cancel}</Button>
          <Button kind="primary" type="submit" form={form} busy={change.isPending}>
            {page.change}
          </Button>
        </>
      }
    >
      <form id={form} className="grid gap-4" noValidate onSubmit={submit}>
        {error !== null && !isWrong && tooWeak === undefined && <Notice kind="bad">{explainError(error)}</Notice>}
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
      </form>
    </Dialog>
  );
}
