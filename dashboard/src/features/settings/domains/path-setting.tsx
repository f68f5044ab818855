import { useMutation } from "@tanstack/react-query";
import type { Domain } from "#src/domains/contract.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Checkbox } from "#dashboard/ui/field.tsx";
import { Section } from "#dashboard/ui/layout.tsx";
import { ErrorNotice } from "#dashboard/ui/notice.tsx";
import { showChange } from "#dashboard/ui/change-toast.ts";
import { updateDomain } from "./queries.ts";

/** Whether links hand on the path after their slug. */
export function PathSetting({ domain, mayChange }: { domain: Domain; mayChange: boolean }) {
  const { title, label, hint, on, off } = texts.domains.pathSetting;
  const change = useMutation({
    mutationFn: (pathForwarding: boolean) => updateDomain(domain.id, { pathForwarding }),
    onSuccess: (_, pathForwarding) =>
      showChange(pathForwarding ? on : off, () => updateDomain(domain.id, { pathForwarding: !pathForwarding })),
  });
  return (
    <Section title={title}>
      <Checkbox
        label={label}
        hint={hint}
        disabled={!mayChange || change.isPending}
        checked={change.isPending ? change.variables : domain.pathForwarding}
        onChange={(event) => change.mutate(event.target.checked)}
      />
      {change.error !== null && <ErrorNotice className="mt-4" error={change.error} />}
    </Section>
  );
}
