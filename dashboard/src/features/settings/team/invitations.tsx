import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { ROLES, type Role } from "#src/platform/auth/roles.ts";
import type { InvitationBody } from "#src/identity/teams/schemas.ts";
import { formatCount, formatRelative } from "#dashboard/lib/format.ts";
import { useSession } from "#dashboard/session.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Button } from "#dashboard/ui/button.tsx";
import { Form } from "#dashboard/ui/form.tsx";
import { InputField, Options, SelectField } from "#dashboard/ui/field.tsx";
import { Section } from "#dashboard/ui/layout.tsx";
import { ErrorNotice, fieldError } from "#dashboard/ui/notice.tsx";
import { showToast } from "#dashboard/ui/toast.tsx";
import { showChange, showProblem } from "#dashboard/ui/change-toast.ts";
import { useService } from "#dashboard/api/use-service.ts";
import { ListOf } from "../frame.tsx";
import { LinkDialog, type HandedLink } from "./link-dialog.tsx";
import { isLower } from "./roles.ts";
import { invite, revokeInvitation, useInvitations } from "./queries.ts";
import { MAX_PENDING_INVITATIONS_PER_TEAM } from "#src/identity/teams/limits.ts";

export function InvitationsSection({ teamId }: { teamId: string }) {
  const { title, lead, leadWithoutMail, none, pending } = texts.team.invitations;
  const list = useInvitations(teamId, true);
  const service = useService();
  const [handed, setHanded] = useState<HandedLink | null>(null);
  return (
    <Section title={title} lead={service?.mail === false ? leadWithoutMail : lead}>
      <InvitationForm teamId={teamId} isMailed={service?.mail !== false} onLink={setHanded} />
      <ListOf list={list} empty={<p className="text-soft">{none}</p>}>
        {(invitations) => (
          <>
            <ul className="divide-y divide-line border-t border-line">
              {invitations.map((invitation) => (
                <Invitation key={invitation.id} teamId={teamId} invitation={invitation} onLink={setHanded} />
              ))}
            </ul>
            <p className="tabular mt-2 text-sm text-soft">
              {pending(formatCount(invitations.length), formatCount(MAX_PENDING_INVITATIONS_PER_TEAM))}
            </p>
          </>
        )}
      </ListOf>
      {handed !== null && <LinkDialog handed={handed} onClose={() => setHanded(null)} />}
    </Section>
  );
}

interface InvitationFormProps {
  teamId: string;
  /** Whether the service sends the invitation. Otherwise the person gets the link. */
  isMailed: boolean;
  onLink: (handed: HandedLink) => void;
}

function InvitationForm({ teamId, isMailed, onLink }: InvitationFormProps) {
  const { email: emailLabel, role: roleLabel, action, sent } = texts.team.invitations;
  const { account } = useSession();
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("member");
  const send = useMutation({
    mutationFn: () => invite(teamId, email.trim(), role),
    onSuccess: ({ invitation: { id }, link }) => {
      if (link === undefined) showChange(sent(email.trim()), () => revokeInvitation(teamId, id));
      else onLink({ kind: "invitation", person: email.trim(), link });
      setEmail("");
    },
  });
  const emailError = fieldError(send.error, "email");
  return (
    <Form className="mb-4" onSubmit={() => send.mutate()}>
      <div className="flex flex-wrap items-start gap-3">
        <InputField
          className="min-w-0 flex-1 basis-60"
          label={emailLabel}
          error={emailError}
          type="email"
          required
          autoComplete="off"
          value={email}
          onValue={setEmail}
        />
        <SelectField label={roleLabel} className="w-32" value={role} onValue={(value) => setRole(value as Role)}>
          <Options
            values={ROLES.filter((each) =>
              isMailed ? each !== "owner" || account.role === "owner" : isLower(each, account.role),
            )}
            nameOf={(each) => texts.settings.roleNames[each]}
          />
        </SelectField>
        <Button type="submit" kind="primary" className="sm:mt-7" busy={send.isPending}>
          {action}
        </Button>
      </div>
      {send.error !== null && emailError === undefined && <ErrorNotice className="mt-3" error={send.error} />}
    </Form>
  );
}

interface InvitationProps {
  teamId: string;
  invitation: InvitationBody;
  onLink: (handed: HandedLink) => void;
}

function Invitation({ teamId, invitation: { id, email, role, expiresAt }, onLink }: InvitationProps) {
  const { revoke: label, revoked, again, expires, as, sent } = texts.team.invitations;
  const inviteAgain = () =>
    invite(teamId, email, role)
      .then(({ link }) =>
        link === undefined ? showChange(sent(email)) : onLink({ kind: "invitation", person: email, link }),
      )
      .catch(showProblem);
  const revoke = useMutation({
    mutationFn: () => revokeInvitation(teamId, id),
    onSuccess: () => showToast({ title: revoked(email), action: { label: again, run: () => void inviteAgain() } }),
    onError: showProblem,
  });
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <div className="min-w-0 flex-1 basis-52">
        <p className="truncate font-semibold">{email}</p>
        <p className="text-sm text-soft">
          {as(texts.settings.roles[role])} · {expires(formatRelative(expiresAt))}
        </p>
      </div>
      <Button size="small" aria-label={`${label}: ${email}`} busy={revoke.isPending} onClick={() => revoke.mutate()}>
        {label}
      </Button>
    </li>
  );
}
