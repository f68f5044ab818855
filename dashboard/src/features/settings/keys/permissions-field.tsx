import { useState } from "react";
import { permissionsOf } from "#src/platform/auth/roles.ts";
import { useSession } from "#dashboard/session.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Checkbox, Segments } from "#dashboard/ui/field.tsx";
import { isRead, presetOf, type Preset } from "./permission-sets.ts";
import type { Permission } from "./queries.ts";

type GroupName = keyof typeof texts.keys.permissions.groups;

interface Props {
  value: readonly Permission[];
  onChange: (permissions: Permission[]) => void;
  error?: string | undefined;
}

/** Permissions of a key: all, those that only read, or single ones. */
export function PermissionsField({ value, onChange, error }: Props) {
  const { presets } = texts.keys;
  const { label, hint, needsOne } = texts.keys.permissions;
  const { account } = useSession();
  const grantable = permissionsOf(account.role);
  const [preset, setPreset] = useState<Preset>(presetOf(value, grantable));
  const choose = (chosen: Preset) => {
    setPreset(chosen);
    if (chosen === "all") onChange([...grantable]);
    if (chosen === "read") onChange(grantable.filter(isRead));
  };
  return (
    <div>
      <p className="mb-1.5 font-semibold" aria-hidden>
        {label}
      </p>
      <Segments
        label={label}
        value={preset}
        options={(["all", "read", "custom"] as const).map((each) => ({ value: each, label: presets[each] }))}
        onChange={choose}
      />
      <p className="mt-1.5 text-sm text-soft">{hint[preset]}</p>
      {preset === "custom" && <Boxes value={value} grantable={grantable} onChange={onChange} />}
      <p role="alert" className="text-sm text-bad">
        {error ?? (value.length === 0 && needsOne)}
      </p>
    </div>
  );
}

function Boxes({
  value,
  grantable,
  onChange,
}: {
  value: readonly Permission[];
  grantable: readonly Permission[];
  onChange: (permissions: Permission[]) => void;
}) {
  const { groups, read, write, use } = texts.keys.permissions;
  const byGroup = Map.groupBy(grantable, (permission) => permission.split(":")[0] as GroupName);
  const toggle = (permission: Permission, checked: boolean) =>
    onChange(grantable.filter((each) => (each === permission ? checked : value.includes(each))));
  return (
    <div className="mt-3 divide-y divide-line rounded-control border border-line">
      {[...byGroup].map(([group, permissions]) => (
        <fieldset key={group} className="flex flex-wrap items-center gap-x-6 gap-y-1 px-3 py-2">
          <legend className="float-start min-w-0 flex-1 basis-52">{groups[group]}</legend>
          {permissions.map((permission) => (
            <Checkbox
              key={permission}
              className="w-22"
              label={permission === "bulk" ? use : isRead(permission) ? read : write}
              checked={value.includes(permission)}
              onChange={(event) => toggle(permission, event.target.checked)}
            />
          ))}
        </fieldset>
      ))}
    </div>
  );
}
