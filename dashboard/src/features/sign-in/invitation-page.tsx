import { useMutation } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { ApiError, call } from "../../api/client.ts";
import type { SessionResponse, Team } from "../../api/types.ts";
import { forgetLinkToken, useLinkToken } from "../../lib/link-token.ts";
import { forgetSession, switchAccount } from "../../session.ts";
import { texts } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { Skeleton } from "../../ui/layout.tsx";
import { ErrorNotice, Notice } from "../../ui/notice.tsx";
import { showToast } from "../../ui/toast.tsx";
import { keepInvitation, readInvitation } from "./next-path.ts";
import { DeadLinkPage, OpenLayout } from "./open-layout.tsx";
import { isDeadToken, useVisitor } from "./queries.ts";

const { invitation } = texts.signIn;
const PATH = "/app/invitation";

export function InvitationPage() {
  const opened = useLinkToken();
  const [kept] = useState(readInvitation);
  const token = opened ?? kept;
  const visitor = useVisitor();
  useEffect(() => {
    if (opened !== null) keepInvitation(opened);
  }, [opened]);
  if (token === null) return <DeadLinkPage missing />;
  if (visitor.data) return <Answer key={token} token={token} person={visitor.data} />;
  return (
    <OpenLayout title={invitation.title} lead={invitation.lead}>
      {visitor.isPending && <Skeleton className="h-24" />}
      {visitor.isError && <ErrorNotice error={visitor.error} onRetry={() => void visitor.refetch()} />}
      {visitor.data === null && <SignInFirst />}
    </OpenLayout>
  );
}

function SignInFirst() {
  return (
    <>
      <p>{invitation.signedOut}</p>
      <Button kind="primary" asChild>
        <Link to="/sign-in" search={{ next: PATH }}>
          {invitation.signIn}
        </Link>
      </Button>
      <Button asChild>
        <Link to="/sign-up" search={{ next: PATH }}>
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

function Answer({ token, person }: { token: string; person: SessionResponse }) {
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
  const isOther = error instanceof ApiError && error.code === "forbidden";
  return (
    <OpenLayout title={invitation.title} lead={invitation.lead}>
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
    </OpenLayout>
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
      await navigate({ to: "/sign-in", search: { next: PATH } });
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
