import { useMutation } from "@tanstack/react-query";
import type { AccountOfUser } from "#dashboard/api/types.ts";
import { formatMoment } from "#dashboard/lib/format.ts";
import { useSession } from "#dashboard/session.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Button } from "#dashboard/ui/button.tsx";
import { Section } from "#dashboard/ui/layout.tsx";
import { showProblem } from "#dashboard/ui/change-toast.ts";
import { restoreAccount } from "./restore-account.ts";

const { deletion } = texts.person;

/** Teams of the person that are deleted and can be restored. */
export function DeletedTeamsSection() {
  const { accounts } = useSession();
  const deleted = accounts.filter(({ deletesAt, role }) => deletesAt !== null && role === "owner");
  if (deleted.length === 0) return null;
  return (
    <Section title={deletion.deletedTitle} lead={deletion.deletedLead}>
      <ul aria-label={deletion.deletedTitle} className="-mb-2 divide-y divide-line border-t border-line">
        {deleted.map((team) => (
          <DeletedTeam key={team.id} team={team} />
        ))}
      </ul>
    </Section>
  );
}

function DeletedTeam({ team }: { team: AccountOfUser }) {
  const restoration = useMutation({
    mutationFn: () => restoreAccount(team),
    onError: showProblem,
  });
  return (
    <li className="flex flex-wrap items-center gap-3 py-3">
      <div className="min-w-0 flex-1">
        <p className="font-semibold [overflow-wrap:anywhere]">{team.name}</p>
        {team.deletesAt !== null && <p className="text-sm text-soft">{deletion.until(formatMoment(team.deletesAt))}</p>}
      </div>
      <Button busy={restoration.isPending} onClick={() => restoration.mutate()}>
        {deletion.restore}
      </Button>
    </li>
  );
}
