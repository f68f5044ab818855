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
import { showChange } from "#dashboard/ui/change-toast.ts";
import { readAgain, setFactors } from "./queries.ts";
import { focusOnly } from "#dashboard/lib/focus.ts";
import { MAX_PASSKEY_NAME_CHARS } from "#src/identity/people/limits.ts";

const { passkeys: page, factors: words } = texts.person;

interface NameDialogProps {
  title: string;
  description?: string;
  action: string;
  name: string;
  onSave: (name: string) => Promise<void>;
  onClose: () => void;
}

function NameDialog({ title, description, action, name: first, onSave, onClose }: NameDialogProps) {
  const [name, setName] = useState(first);
  const [missing, setMissing] = useState(false);
  const save = useMutation({ mutationFn: () => onSave(name.trim()) });
  const { error } = save;
  const wrong = fieldError(error, "name");
  const submit = (form: HTMLFormElement) => {
    setMissing(name.trim() === "");
    if (name.trim() === "") focusOnly(form);
    else save.mutate();
  };
  return (
    <FormDialog
      size="small"
      onClose={onClose}
      title={title}
      description={description}
      action={action}
      save={save}
      error={null}
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

type NewPasskey = { passkey: Passkey; recoveryCodes: string[] | null };

interface AddPasskeyDialogProps {
  onClose: () => void;
  /** Gets the recovery codes of a first factor. */
  onAdded: (recoveryCodes: string[] | null) => void;
}

export function AddPasskeyDialog({ onClose, onAdded }: AddPasskeyDialogProps) {
  const add = async (name: string) => {
    const body = { ...(await createPasskey()), name };
    const { passkey, recoveryCodes } = await call<NewPasskey>("POST", "/api/auth/passkeys", { body });
    // With the recovery codes of a first factor, the dialog says it, and a toast would cover them on a phone.
    if (recoveryCodes === null) showToast({ title: page.added(passkey.name) });
    onAdded(recoveryCodes);
    await readAgain();
  };
  return (
    <NameDialog
      title={page.add}
      description={page.addText}
      action={page.action}
      name={nameOfDevice()}
      onSave={add}
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
  const { id, name: former } = passkey;
  const save = async (name: string) => {
    await rename(id, name);
    onClose();
    showChange(page.renamed, () => rename(id, former));
  };
  return <NameDialog title={page.renameTitle} action={texts.ui.save} name={former} onSave={save} onClose={onClose} />;
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
