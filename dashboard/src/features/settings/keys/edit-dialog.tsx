import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { ApiKey } from "#src/identity/keys/contract.ts";
import { texts } from "#dashboard/texts/index.ts";
import { FormDialog } from "#dashboard/ui/form-dialog.tsx";
import { InputField } from "#dashboard/ui/field.tsx";
import { fieldError } from "#dashboard/ui/notice.tsx";
import { showChange } from "#dashboard/ui/change-toast.ts";
import { PermissionsField } from "./permissions-field.tsx";
import { updateKey, type Permission } from "./queries.ts";
import { MAX_KEY_NAME_CHARS } from "#src/identity/keys/limits.ts";

/** Changes the name and the permissions of a key. */
export function EditKeyDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const { form, saved } = texts.keys;
  const [name, setName] = useState(apiKey.name);
  const [permissions, setPermissions] = useState<Permission[]>(apiKey.permissions);
  const save = useMutation({
    mutationFn: () => updateKey(apiKey.id, { name: name.trim(), permissions }),
    onSuccess: () => {
      const { id, name: formerName, permissions: former } = apiKey;
      showChange(saved(name.trim()), () => updateKey(id, { name: formerName, permissions: former }));
      onClose();
    },
  });
  return (
    <FormDialog
      onClose={onClose}
      title={form.edit(apiKey.name)}
      description={form.editText}
      action={texts.ui.save}
      save={save}
      disabled={permissions.length === 0}
    >
      <InputField
        label={form.name}
        error={fieldError(save.error, "name")}
        required
        autoFocus
        maxLength={MAX_KEY_NAME_CHARS}
        value={name}
        onValue={setName}
      />
      <PermissionsField value={permissions} onChange={setPermissions} error={fieldError(save.error, "permissions")} />
    </FormDialog>
  );
}
