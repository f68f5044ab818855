import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { permissionsOf } from "#src/platform/auth/roles.ts";
import type { ApiKey } from "#src/identity/keys/contract.ts";
import { DAY_MS } from "#src/limits.ts";
import { browserTimeZone } from "#dashboard/lib/format.ts";
import { toLocalText } from "#dashboard/lib/time-zone.ts";
import { useSession } from "#dashboard/session.ts";
import { texts } from "#dashboard/texts/index.ts";
import { FormDialog } from "#dashboard/ui/form-dialog.tsx";
import { InputField, Options, SelectField } from "#dashboard/ui/field.tsx";
import { fieldError } from "#dashboard/ui/notice.tsx";
import { PermissionsField } from "./permissions-field.tsx";
import { createKey, type Permission } from "./queries.ts";
import { MAX_KEY_NAME_CHARS } from "#src/identity/keys/limits.ts";

const EXPIRIES = ["never", "30", "90", "365", "date"] as const;
type Expiry = (typeof EXPIRIES)[number];

interface Props {
  onClose: () => void;
  onCreated: (key: ApiKey & { value: string }) => void;
}

export function CreateKeyDialog({ onClose, onCreated }: Props) {
  const { create, form } = texts.keys;
  const { account } = useSession();
  const [name, setName] = useState("");
  const [permissions, setPermissions] = useState<Permission[]>([...permissionsOf(account.role)]);
  const [expiry, setExpiry] = useState<Expiry>("never");
  const [day, setDay] = useState("");
  const [today] = useState(() => toLocalText(Date.now(), browserTimeZone()).split("T")[0]);
  const save = useMutation({
    mutationFn: () => createKey({ name: name.trim(), permissions, expiresAt: expiresAt(expiry, day) }),
    onSuccess: onCreated,
  });
  return (
    <FormDialog onClose={onClose} title={create} action={create} save={save} disabled={permissions.length === 0}>
      <InputField
        label={form.name}
        hint={form.nameHint}
        error={fieldError(save.error, "name")}
        required
        autoFocus
        autoComplete="off"
        maxLength={MAX_KEY_NAME_CHARS}
        value={name}
        onValue={setName}
      />
      <PermissionsField value={permissions} onChange={setPermissions} error={fieldError(save.error, "permissions")} />
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          label={form.expiry}
          hint={form.expiryHint}
          error={fieldError(save.error, "expiresAt")}
          value={expiry}
          onValue={(value) => setExpiry(value as Expiry)}
        >
          <Options values={EXPIRIES} nameOf={(each) => form.expiries[each]} />
        </SelectField>
        {expiry === "date" && (
          <InputField label={form.day} type="date" required min={today} value={day} onValue={setDay} />
        )}
      </div>
    </FormDialog>
  );
}

function expiresAt(expiry: Expiry, day: string): number | null {
  if (expiry === "never") return null;
  // The end of the day where the person is.
  if (expiry === "date") return new Date(`${day}T23:59:59.999`).getTime();
  return Date.now() + Number(expiry) * DAY_MS;
}
