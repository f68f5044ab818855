import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { MAX_ACCOUNT_NAME_CHARS } from "#src/limits.ts";
import { showChange } from "#dashboard/ui/change-toast.ts";
import { InputField } from "../../ui/field.tsx";
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
    <FormDialog onClose={onClose} title={words.inviteTitle} action={words.sendInvitation} save={save}>
      <p className="text-sm text-soft">{words.inviteLead}</p>
      <InputField
        label={words.name}
        error={fieldError(save.error, "name")}
        required
        maxLength={MAX_ACCOUNT_NAME_CHARS}
        value={name}
        onValue={setName}
      />
      <InputField
        label={words.address}
        error={fieldError(save.error, "email")}
        type="email"
        required
        autoComplete="off"
        value={address}
        onValue={setAddress}
      />
    </FormDialog>
  );
}
