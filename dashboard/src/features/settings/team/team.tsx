import { useSession } from "#dashboard/session.ts";
import { texts } from "#dashboard/texts/index.ts";
import { SettingsHeader } from "../frame.tsx";
import { InvitationsSection } from "./invitations.tsx";
import { MembersSection } from "./members.tsx";
import { OwnerSections } from "./owner-sections.tsx";
import { PersonalTeams } from "./personal-teams.tsx";
import { RolesTable } from "./roles-table.tsx";

export function TeamSettings() {
  const { account, can } = useSession();
  const title = texts.settings.sections.team;
  if (account.kind === "personal")
    return (
      <>
        <SettingsHeader title={title} lead={texts.team.personalLead} />
        <PersonalTeams />
        <RolesTable />
      </>
    );
  return (
    <>
      <SettingsHeader title={title} lead={texts.team.lead} />
      <MembersSection teamId={account.id} />
      {can("members:write") && <InvitationsSection teamId={account.id} />}
      <RolesTable />
      {can("account:write") && <OwnerSections team={account} />}
    </>
  );
}
