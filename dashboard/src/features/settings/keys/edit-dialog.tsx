import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { ApiKey } from "../../../../../src/keys/contract.ts";
import { texts } from "../../../texts/index.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Field, Input } from "../../../ui/field.tsx";
import { ErrorNotice, fieldError } from "../../../ui/notice.tsx";
import { showChange } from "../change-toast.ts";
import { PermissionsField } from "./permissions-field.tsx";
import { updateKey, type Permission } from "./queries.ts";
import { MAX_KEY_NAME_CHARS } from "../../../../../src/keys/limits.ts";

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
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      closesOutside={false}
      title={form.edit(apiKey.name)}
      description={form.editText}
      footer={
        <>
          <Button onClick={onClose}>{texts.ui.cancel}</Button>
          <Button type="submit" form="key" kind="primary" busy={save.isPending} disabled={permissions.length === 0}>
            {texts.ui.save}
          </Button>
        </>
      }
    >
      <form
        id="key"
        className="grid gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <Field label={form.name} error={fieldError(save.error, "name")}>
          {(control) => (
            <Input
              {...control}
              required
              autoFocus
              maxLength={MAX_KEY_NAME_CHARS}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <PermissionsField value={permissions} onChange={setPermissions} error={fieldError(save.error, "permissions")} />
        {save.error !== null && <ErrorNotice error={save.error} />}
      </form>
    </Dialog>
  );
}
