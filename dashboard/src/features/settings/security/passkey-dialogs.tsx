import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#dashboard/api/client.ts";
import type { Passkey } from "#dashboard/api/types.ts";
import { createPasskey, explainPasskeyError } from "#dashboard/identity/passkey.ts";
import { texts } from "#dashboard/texts/index.ts";
import { ConfirmDialog } from "#dashboard/ui/dialog.tsx";
import { FormDialog } from "#dashboard/ui/form-dialog.tsx";
import { InputField } from "#dashboard/ui/field.tsx";
import { fieldError, Notice } from "#dashboard/ui/notice.tsx";
import { showToast } from "#dashboard/ui/toast.tsx";
import { showProblem } from "#dashboard/ui/change-toast.ts";
import { readAgain, setFactors } from "./queries.ts";
import { focusOnly } from "#dashboard/lib/focus.ts";
import { MAX_PASSKEY_NAME_CHARS } from "#src/people/limits.ts";

const { passkeys: page, factors: words } = texts.person;

interface NameDialogProps {
  title: string;
  description?: string;
  action: string;
  name: string;
  busy: boolean;
  error: unknown;
  onSubmit: (name: string) => void;
  onClose: () => void;
}

function NameDialog({ title, description, action, name: first, busy, error, onSubmit, onClose }: NameDialogProps) {
  const [name, setName] = useState(first);
  const [missing, setMissing] = useState(false);
  const wrong = fieldError(error, "name");
  const submit = (form: HTMLFormElement) => {
    setMissing(name.trim() === "");
    if (name.trim() === "") focusOnly(form);
    else onSubmit(name.trim());
  };
  return (
    <FormDialog
      size="small"
      onClose={onClose}
      title={title}
      description={description}
      action={action}
      busy={busy}
      noValidate
      onSubmit={submit}
    >
      {error !== null && wrong === undefined && <Notice kind="bad">{explainPasskeyError(error)}</Notice>}
      <InputField
        label={page.name}
        error={missing ? page.nameMissing : wrong}
        autoFocus="always"
        maxLength={MAX_PASSKEY_NAME_CHARS}
        onFocus={(event) => event.target.select()}
        value={name}
        onValue={setName}
      />
    </FormDialog>
  );
}

interface AddPasskeyDialogProps {
  onClose: () => void;
  /** Gets the recovery codes of a first factor. */
  onAdded: (recoveryCodes: string[] | null) => void;
}

export function AddPasskeyDialog({ onClose, onAdded }: AddPasskeyDialogProps) {
  const adding = useMutation({
    mutationFn: async (name: string) => {
      const answer = await createPasskey();
      return call<{ passkey: Passkey; recoveryCodes: string[] | null }>("POST", "/api/auth/passkeys", {
        body: { ...answer, name },
      });
    },
    onSuccess: async ({ passkey, recoveryCodes }) => {
      // With the recovery codes of a first factor, the dialog says it, and a toast would cover them on a phone.
      if (recoveryCodes === null) showToast({ title: page.added(passkey.name) });
      onAdded(recoveryCodes);
      await readAgain();
    },
  });
  return (
    <NameDialog
      title={page.add}
      description={page.addText}
      action={page.action}
      name={nameOfDevice()}
      busy={adding.isPending}
      error={adding.error}
      onSubmit={adding.mutate}
      onClose={onClose}
    />
  );
}

/** A name for the device, as the browser tells it. */
function nameOfDevice(): string {
  const names = { iPhone: /iPhone/, iPad: /iPad/, Android: /Android/, Mac: /Mac/, Windows: /Windows/, Linux: /Linux/ };
  return Object.entries(names).find(([, pattern]) => pattern.test(navigator.userAgent))?.[0] ?? "";
}

async function rename(id: string, name: string): Promise<void> {
  setFactors((factors) => ({
    ...factors,
    passkeys: factors.passkeys.map((each) => (each.id === id ? { ...each, name } : each)),
  }));
  try {
    await call("PATCH", `/api/auth/passkeys/${id}`, { body: { name } });
  } finally {
    await readAgain();
  }
}

export function RenamePasskeyDialog({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const renaming = useMutation({
    mutationFn: async (name: string) => {
      // In `onSuccess`, the passkey would have its new name already.
      const { id, name: former } = passkey;
      await rename(id, name);
      onClose();
      showToast({
        title: page.renamed,
        action: { label: texts.ui.undo, run: () => void rename(id, former).catch(showProblem) },
      });
    },
  });
  return (
    <NameDialog
      title={page.renameTitle}
      action={texts.ui.save}
      name={passkey.name}
      busy={renaming.isPending}
      error={renaming.error}
      onSubmit={renaming.mutate}
      onClose={onClose}
    />
  );
}

export function RemovePasskeyDialog({
  passkey,
  isLast,
  onClose,
}: {
  passkey: Passkey;
  isLast: boolean;
  onClose: () => void;
}) {
  const remove = async () => {
    await call("DELETE", `/api/auth/passkeys/${passkey.id}`);
    onClose();
    showToast({ title: page.removed(passkey.name) });
    await readAgain();
  };
  return (
    <ConfirmDialog
      onClose={onClose}
      title={page.removeTitle(passkey.name)}
      description={isLast ? `${page.removeText} ${words.removeLast}` : page.removeText}
      action={page.removeAction}
      danger
      onConfirm={remove}
    />
  );
}
