import type { AccountOfUser } from "#dashboard/api/types.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Section, Skeleton } from "#dashboard/ui/layout.tsx";
import { ErrorNotice } from "#dashboard/ui/notice.tsx";
import { SwitchSetting } from "../switch-setting.tsx";
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
  const { data, error } = useTeam(teamId);
  if (data === undefined)
    return (
      <Section title={texts.team.mfa.title}>
        {error === null ? <Skeleton className="h-12" /> : <ErrorNotice error={error} />}
      </Section>
    );
  return (
    <SwitchSetting
      words={texts.team.mfa}
      isOn={data.team.requireMfa}
      mayChange
      onSave={(requireMfa) => updateTeam(teamId, { requireMfa })}
    />
  );
}
