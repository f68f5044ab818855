import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { MAX_ACCOUNT_NAME_CHARS } from "#src/limits.ts";
import { showChange } from "#dashboard/ui/change-toast.ts";
import { Field, Input } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { fieldError } from "../../ui/notice.tsx";
import { inviteOwner } from "./queries.ts";
import { consoleTexts } from "./texts.ts";

/** Makes an account and invites its owner. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const words = consoleTexts.account;
  const [name, setName] = useState("");
  const [address, setAddress] = useState("");
  const email = address.trim();
  const save = useMutation({
    mutationFn: () => inviteOwner(name.trim(), email),
    onSuccess: () => {
      showChange(words.wasInvited(email));
      onClose();
    },
  });
  return (
    <FormDialog
      onClose={onClose}
      title={words.inviteTitle}
      action={words.sendInvitation}
      busy={save.isPending}
      error={save.error}
      onSubmit={() => save.mutate()}
    >
      <p className="text-sm text-soft">{words.inviteLead}</p>
      <Field label={words.name} error={fieldError(save.error, "name")}>
        {(control) => (
          <Input
            {...control}
            required
            maxLength={MAX_ACCOUNT_NAME_CHARS}
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        )}
      </Field>
      <Field label={words.address} error={fieldError(save.error, "email")}>
        {(control) => (
          <Input
            {...control}
            type="email"
            required
            autoComplete="off"
            value={address}
            onChange={({ target }) => setAddress(target.value)}
          />
        )}
      </Field>
    </FormDialog>
  );
}
