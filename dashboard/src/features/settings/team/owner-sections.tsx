import { useMutation } from "@tanstack/react-query";
import type { AccountOfUser } from "#dashboard/api/types.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Checkbox } from "#dashboard/ui/field.tsx";
import { Section, Skeleton } from "#dashboard/ui/layout.tsx";
import { ErrorNotice } from "#dashboard/ui/notice.tsx";
import { showChange } from "#dashboard/ui/change-toast.ts";
import { DeletionSection } from "./deletion-section.tsx";
import { updateTeam, useTeam } from "./queries.ts";
import { TransferSection } from "./transfer-section.tsx";

/** What only owners may do with a team. */
export function OwnerSections({ team }: { team: AccountOfUser }) {
  return (
    <>
      <MfaSection teamId={team.id} />
      <TransferSection teamId={team.id} />
      <DeletionSection team={team} />
    </>
  );
}

function MfaSection({ teamId }: { teamId: string }) {
  const { title, label, hint, on, off } = texts.team.mfa;
  const { data, error } = useTeam(teamId);
  const change = useMutation({
    mutationFn: (requireMfa: boolean) => updateTeam(teamId, { requireMfa }),
    onSuccess: (_, requireMfa) =>
      showChange(requireMfa ? on : off, () => updateTeam(teamId, { requireMfa: !requireMfa })),
  });
  const problem = change.error ?? error;
  return (
    <Section title={title}>
      {data === undefined && error === null && <Skeleton className="h-12" />}
      {data !== undefined && (
        <Checkbox
          label={label}
          hint={hint}
          disabled={change.isPending}
          checked={change.isPending ? change.variables : data.team.requireMfa}
          onChange={(event) => change.mutate(event.target.checked)}
        />
      )}
      {problem !== null && <ErrorNotice className="mt-3" error={problem} />}
    </Section>
  );
}
