import { useMutation } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useEffect, useState, type ReactNode } from "react";
import { call } from "../../api/client.ts";
import type { ReceivedInvitation, SessionResponse, Team } from "../../api/types.ts";
import { forgetLinkToken, useLinkToken } from "../../lib/link-token.ts";
import { forgetSession, switchAccount } from "../../session.ts";
import { texts } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { Skeleton } from "../../ui/layout.tsx";
import { ErrorNotice, Notice } from "../../ui/notice.tsx";
import { showToast } from "../../ui/toast.tsx";
import { INVITATION_PATH, keepInvitation, readInvitation } from "./next-path.ts";
import { OpenLayout } from "../../ui/open-layout.tsx";
import { DeadLinkPage } from "./page-parts.tsx";
import { isDeadToken, useReceivedInvitation, useVisitor } from "./queries.ts";

const { invitation } = texts.signIn;

export function InvitationPage() {
  const opened = useLinkToken();
  const [kept] = useState(readInvitation);
  const token = opened ?? kept;
  const visitor = useVisitor();
  const received = useReceivedInvitation(token);
  const isDead = isDeadToken(received.error);
  useEffect(() => {
    if (opened !== null) keepInvitation(opened);
  }, [opened]);
  useEffect(() => {
    if (isDead) keepInvitation(null);
  }, [isDead]);
  if (token === null) return <DeadLinkPage missing />;
  if (isDead) return <DeadLinkPage />;
  if (received.data && visitor.data)
    return <Answer key={token} token={token} received={received.data} person={visitor.data} />;
  const failed = [received, visitor].find(({ isError }) => isError);
  return (
    <InvitationLayout received={received.data}>
      {failed !== undefined && <ErrorNotice error={failed.error} onRetry={() => void failed.refetch()} />}
      {failed === undefined && (received.isPending || visitor.isPending) && <Skeleton className="h-24" />}
      {received.data && visitor.data === null && <SignInFirst email={received.data.email} />}
    </InvitationLayout>
  );
}

/** Says who invites to which team, as soon as it is known. */
function InvitationLayout({ received, children }: { received: ReceivedInvitation | undefined; children: ReactNode }) {
  if (received === undefined) return <OpenLayout title={invitation.anyTitle}>{children}</OpenLayout>;
  return (
    <OpenLayout title={invitation.title(received.team.name)} lead={explainInvitation(received)}>
      {children}
    </OpenLayout>
  );
}

function SignInFirst({ email }: { email: string }) {
  return (
    <>
      <p className="break-words">{invitation.signedOut(email)}</p>
      <Button kind="primary" asChild>
        <Link to="/sign-in" search={{ next: INVITATION_PATH }}>
          {invitation.signIn}
        </Link>
      </Button>
      <Button asChild>
        <Link to="/sign-up" search={{ next: INVITATION_PATH }}>
          {texts.signIn.signUp.link}
        </Link>
      </Button>
    </>
  );
}

function forget(): void {
  forgetLinkToken();
  keepInvitation(null);
}

function forgetIfDead(error: unknown): void {
  if (isDeadToken(error)) keepInvitation(null);
}

interface AnswerProps {
  token: string;
  received: ReceivedInvitation;
  person: SessionResponse;
}

function Answer({ token, received, person }: AnswerProps) {
  const navigate = useNavigate();
  const [declined, setDeclined] = useState(false);
  const answer = (kind: "accept" | "decline") =>
    call<{ team: Team }>("POST", `/api/teams/invitations/${kind}`, { body: { token } });
  const accept = useMutation({
    mutationFn: () => answer("accept"),
    onError: forgetIfDead,
    onSuccess: async ({ team }) => {
      forget();
      forgetSession();
      switchAccount(team.id);
      showToast({ title: invitation.accepted(team.name) });
      await navigate({ to: "/links" });
    },
  });
  const decline = useMutation({
    mutationFn: () => answer("decline"),
    onError: forgetIfDead,
    onSuccess: () => {
      forget();
      setDeclined(true);
    },
  });
  const error = accept.error ?? decline.error;
  if (declined)
    return (
      <OpenLayout title={invitation.declined} lead={invitation.declinedText}>
        <Button asChild>
          <Link to="/links">{texts.shell.pages.links}</Link>
        </Button>
      </OpenLayout>
    );
  if (isDeadToken(error)) return <DeadLinkPage />;
  const isOther = person.user.email.toLowerCase() !== received.email.toLowerCase();
  return (
    <InvitationLayout received={received}>
      {isOther ? (
        <WrongAddress token={token} email={person.user.email} />
      ) : (
        <>
          <p className="text-sm break-words text-soft">{texts.signIn.signedInAs(person.user.email)}</p>
          {error !== null && <ErrorNotice error={error} />}
          <Button kind="primary" busy={accept.isPending} onClick={() => accept.mutate()}>
            {invitation.accept}
          </Button>
          <Button busy={decline.isPending} onClick={() => decline.mutate()}>
            {invitation.decline}
          </Button>
        </>
      )}
    </InvitationLayout>
  );
}

function WrongAddress({ token, email }: { token: string; email: string }) {
  const navigate = useNavigate();
  const signOut = useMutation({
    mutationFn: () => call("POST", "/api/auth/sign-out"),
    onSuccess: async () => {
      forgetSession();
      // Signing out empties the browser's storage.
      keepInvitation(token);
      await navigate({ to: "/sign-in", search: { next: INVITATION_PATH } });
    },
  });
  return (
    <>
      <Notice kind="warn">{invitation.wrongAddress(email)}</Notice>
      {signOut.isError && <ErrorNotice error={signOut.error} />}
      <Button kind="primary" busy={signOut.isPending} onClick={() => signOut.mutate()}>
        {invitation.switch}
      </Button>
    </>
  );
}

/** Who invites to which team, as which role, and what joining means. */
function explainInvitation({ team, inviter, role }: ReceivedInvitation): string {
  const { lead, operator, meaning } = texts.signIn.invitation;
  return `${lead(inviter ?? operator, team.name, texts.settings.roles[role])} ${meaning}`;
}
