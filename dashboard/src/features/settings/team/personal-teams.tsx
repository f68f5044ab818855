import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { MAX_ACCOUNT_NAME_CHARS } from "#src/limits.ts";
import { formatDay } from "#dashboard/lib/format.ts";
import { switchAccount, useSession } from "#dashboard/session.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Button } from "#dashboard/ui/button.tsx";
import { Form } from "#dashboard/ui/form.tsx";
import { InputField } from "#dashboard/ui/field.tsx";
import { Badge, Section } from "#dashboard/ui/layout.tsx";
import { explainError } from "#dashboard/ui/notice.tsx";
import { showChange, showProblem } from "#dashboard/ui/change-toast.ts";
import { createTeam, restoreTeam } from "./queries.ts";
import { MAX_TEAMS_PER_OWNER } from "#src/identity/teams/limits.ts";

/** For a personal account: the person's teams, also deleted ones, and a form for a new one. */
export function PersonalTeams() {
  const { accounts } = useSession();
  const teams = accounts.filter(({ kind, deletesAt }) => kind === "team" && deletesAt === null);
  const deleted = accounts.filter(({ kind, deletesAt }) => kind === "team" && deletesAt !== null);
  return (
    <>
      <CreateTeam />
      {teams.length > 0 && (
        <Section title={texts.team.yours}>
          <ul className="divide-y divide-line">
            {teams.map(({ id, name, role }) => (
              <li key={id} className="flex items-center gap-3 py-2.5 first:pt-0 last:pb-0">
                <span className="min-w-0 flex-1 truncate font-semibold">{name}</span>
                <Badge>{texts.settings.roleNames[role]}</Badge>
                <Button size="small" className="min-w-0 max-w-60" onClick={() => switchAccount(id)}>
                  <span className="truncate">{texts.team.actFor(name)}</span>
                </Button>
              </li>
            ))}
          </ul>
        </Section>
      )}
      {deleted.length > 0 && (
        <Section title={texts.team.deleted.title}>
          <ul className="divide-y divide-line">
            {deleted.map(({ id, name, role, deletesAt }) => (
              <DeletedTeam key={id} id={id} name={name} deletesAt={deletesAt ?? 0} mayRestore={role === "owner"} />
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}

function CreateTeam() {
  const { title, label, action, done, limit } = texts.team.create;
  const [name, setName] = useState("");
  const create = useMutation({
    mutationFn: () => createTeam(name.trim()),
    onSuccess: (team) => {
      switchAccount(team.id);
      showChange(done(team.name));
    },
  });
  return (
    <Section title={title}>
      <Form className="flex flex-wrap items-start gap-3" onSubmit={() => create.mutate()}>
        <InputField
          className="min-w-0 flex-1 basis-64"
          label={label}
          hint={limit(MAX_TEAMS_PER_OWNER)}
          error={create.error === null ? undefined : explainError(create.error)}
          required
          maxLength={MAX_ACCOUNT_NAME_CHARS}
          value={name}
          onValue={setName}
        />
        <Button type="submit" kind="primary" className="sm:mt-7" busy={create.isPending} disabled={name.trim() === ""}>
          {action}
        </Button>
      </Form>
    </Section>
  );
}

interface DeletedTeamProps {
  id: string;
  name: string;
  deletesAt: number;
  mayRestore: boolean;
}

function DeletedTeam({ id, name, deletesAt, mayRestore }: DeletedTeamProps) {
  const { until, restore: label, done } = texts.team.deleted;
  const restore = useMutation({
    mutationFn: () => restoreTeam(id),
    onSuccess: () => showChange(done(name)),
    onError: showProblem,
  });
  return (
    <li className="flex flex-wrap items-center gap-3 py-2.5 first:pt-0 last:pb-0">
      <span className="min-w-0 flex-1 truncate font-semibold">{name}</span>
      <span className="text-sm text-soft">{until(formatDay(deletesAt))}</span>
      <Button
        size="small"
        aria-label={`${label}: ${name}`}
        disabled={!mayRestore}
        busy={restore.isPending}
        onClick={() => restore.mutate()}
      >
        {label}
      </Button>
    </li>
  );
}
