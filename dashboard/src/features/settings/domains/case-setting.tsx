import { useMutation } from "@tanstack/react-query";
import type { Domain } from "#src/domains/contract.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Checkbox } from "#dashboard/ui/field.tsx";
import { Section } from "#dashboard/ui/layout.tsx";
import { ErrorNotice } from "#dashboard/ui/notice.tsx";
import { showChange } from "#dashboard/ui/change-toast.ts";
import { updateDomain } from "./queries.ts";

/** Whether slugs that differ only in case are different links. */
export function CaseSetting({ domain, mayChange }: { domain: Domain; mayChange: boolean }) {
  const { title, label, hint, on, off } = texts.domains.caseSetting;
  const change = useMutation({
    mutationFn: (caseSensitive: boolean) => updateDomain(domain.id, { caseSensitive }),
    onSuccess: (_, caseSensitive) =>
      showChange(caseSensitive ? on : off, () => updateDomain(domain.id, { caseSensitive: !caseSensitive })),
  });
  return (
    <Section title={title}>
      <Checkbox
        label={label}
        hint={hint}
        disabled={!mayChange || change.isPending}
        checked={change.isPending ? change.variables : domain.caseSensitive}
        onChange={(event) => change.mutate(event.target.checked)}
      />
      {change.error !== null && <ErrorNotice className="mt-4" error={change.error} />}
    </Section>
  );
}
