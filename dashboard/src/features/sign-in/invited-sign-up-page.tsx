import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { ApiError, call } from "../../api/client.ts";
import type { ReceivedInvitation } from "../../api/types.ts";
import { switchAccount } from "../../session.ts";
import { texts } from "../../texts/index.ts";
import { Notice } from "../../ui/notice.tsx";
import { showToast } from "../../ui/toast.tsx";
import { useArrive } from "./arrive.ts";
import { INVITATION_PATH, keepInvitation } from "./next-path.ts";
import { OpenLayout, TEXT_LINK } from "../../ui/open-layout.tsx";
import { DeadLinkPage } from "./page-parts.tsx";
import { useService } from "../../api/use-service.ts";
import { isDeadToken } from "./queries.ts";
import { EMPTY_PERSON, SignUpFields } from "./sign-up-fields.tsx";

/** Makes an account and joins the team in one step: the invitation has proved the address. */
export function InvitedSignUpPage({ token, received }: { token: string; received: ReceivedInvitation }) {
  const { team, email } = received;
  const { signIn, signUp: page, invitation } = texts.signIn;
  const service = useService();
  const arrive = useArrive();
  const [person, setPerson] = useState({ ...EMPTY_PERSON, email });
  const signUp = useMutation({
    mutationFn: () => call("POST", "/api/auth/sign-up", { body: { ...person, invitation: token } }),
    onError: (error) => {
      if (isDeadToken(error)) keepInvitation(null);
    },
    onSuccess: () => {
      keepInvitation(null);
      arrive("/app/links");
      switchAccount(team.id);
      showToast({ title: invitation.accepted(team.name) });
    },
  });
  if (isDeadToken(signUp.error)) return <DeadLinkPage />;
  const toSignIn = (
    <Link to="/sign-in" search={{ next: INVITATION_PATH }} className={TEXT_LINK}>
      {signIn.action}
    </Link>
  );
  const hasAccount = signUp.error instanceof ApiError && signUp.error.code === "conflict";
  const footer = (
    <>
      {page.has} {toSignIn}
    </>
  );
  return (
    <OpenLayout title={invitation.title(team.name)} lead={invitation.signUpLead} footer={footer}>
      {service?.signUp === "closed" && <Notice kind="warn">{page.closed}</Notice>}
      {hasAccount && (
        <Notice kind="warn" action={toSignIn}>
          {invitation.hasAccount}
        </Notice>
      )}
      <SignUpFields
        invited
        action={invitation.signUp}
        person={person}
        onPerson={setPerson}
        busy={signUp.isPending}
        error={hasAccount ? null : signUp.error}
        onSubmit={signUp.mutate}
      />
    </OpenLayout>
  );
}
