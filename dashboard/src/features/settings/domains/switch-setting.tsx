import { useMutation } from "@tanstack/react-query";
import type { Domain } from "#src/domains/contract.ts";
import { Checkbox } from "#dashboard/ui/field.tsx";
import { Section } from "#dashboard/ui/layout.tsx";
import { ErrorNotice } from "#dashboard/ui/notice.tsx";
import { showChange } from "#dashboard/ui/change-toast.ts";
import { updateDomain } from "./queries.ts";

interface SwitchSettingProps {
  domain: Domain;
  mayChange: boolean;
  field: "caseSensitive" | "pathForwarding" | "nestedSlugs";
  /** `on`, `off`: what a change says. */
  words: Record<"title" | "label" | "hint" | "on" | "off", string>;
}

/** A setting of the domain that is on or off. A change can be undone. */
export function SwitchSetting({ domain, mayChange, field, words }: SwitchSettingProps) {
  const change = useMutation({
    mutationFn: (isOn: boolean) => updateDomain(domain.id, { [field]: isOn }),
    onSuccess: (_, isOn) => showChange(isOn ? words.on : words.off, () => updateDomain(domain.id, { [field]: !isOn })),
  });
  return (
    <Section title={words.title}>
      <Checkbox
        label={words.label}
        hint={words.hint}
        disabled={!mayChange || change.isPending}
        checked={change.isPending ? change.variables : domain[field]}
        onChange={(event) => change.mutate(event.target.checked)}
      />
      {change.error !== null && <ErrorNotice className="mt-4" error={change.error} />}
    </Section>
  );
}
