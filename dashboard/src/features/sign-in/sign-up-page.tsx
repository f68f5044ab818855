import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { MailCheck } from "lucide-react";
import { useState } from "react";
import { call } from "../../api/client.ts";
import type { ServiceInfo } from "../../api/types.ts";
import { AUTHORIZE_PATH, shareRequest } from "../../lib/authorization-request.ts";
import { useSignedInElsewhere } from "../../session.ts";
import { texts } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { Skeleton } from "../../ui/layout.tsx";
import { ErrorNotice, Notice } from "../../ui/notice.tsx";
import { showToast } from "../../ui/toast.tsx";
import { useArrive, useNext } from "./arrive.ts";
import { LocalMail } from "../../identity/local-mail.tsx";
import { InvitedSignUpPage } from "./invited-sign-up-page.tsx";
import { OpenLayout, TEXT_LINK } from "../../ui/open-layout.tsx";
import { EMPTY_PERSON, SignUpFields, type SignUpFieldsProps } from "./sign-up-fields.tsx";
import { useKeptInvitation } from "./use-kept-invitation.ts";
import { useService } from "../../api/use-service.ts";

/** A person who comes from an invitation signs up with it, and without it if it cannot be read now. */
export function SignUpPage() {
  const { token, received, isReading } = useKeptInvitation();
  if (isReading)
    return (
      <OpenLayout title={texts.signIn.signUp.title}>
        <Skeleton className="h-24" />
      </OpenLayout>
    );
  if (token !== null && received !== undefined) return <InvitedSignUpPage token={token} received={received} />;
  return <OrdinarySignUpPage />;
}

function OrdinarySignUpPage() {
  const [person, setPerson] = useState(EMPTY_PERSON);
  const [sentAt, setSentAt] = useState<number | null>(null);
  const isForApp = useNext().next === AUTHORIZE_PATH;
  const signUp = useMutation({
    mutationFn: () => call("POST", "/api/auth/sign-up", { body: person }),
    onMutate: () => Date.now(),
    onSuccess: (_, __, startedAt) => {
      if (isForApp) shareRequest();
      setSentAt(startedAt);
    },
  });
  if (sentAt !== null) {
    const resend = () => signUp.mutate(undefined, { onSuccess: () => showToast({ title: texts.signIn.resent }) });
    return (
      <CheckMailPage
        email={person.email.trim()}
        since={sentAt}
        busy={signUp.isPending}
        error={signUp.error}
        onResend={resend}
        onBack={() => setSentAt(null)}
      />
    );
  }
  return (
    <SignUpForm
      person={person}
      onPerson={setPerson}
      busy={signUp.isPending}
      error={signUp.error}
      onSubmit={signUp.mutate}
    />
  );
}

type SignUpFormProps = Omit<SignUpFieldsProps, "action">;

function SignUpForm({ person, onPerson, busy, error, onSubmit }: SignUpFormProps) {
  const service = useService();
  const search = useNext();
  const { signUp, signIn } = texts.signIn;
  const isClosed = service !== undefined && (service.signUp === "closed" || !service.mail);
  return (
    <OpenLayout
      title={signUp.title}
      {...(!isClosed && { lead: search.next === AUTHORIZE_PATH ? texts.signIn.forApp : signUp.lead })}
      footer={
        <>
          {signUp.has}{" "}
          <Link to="/sign-in" search={search} className={TEXT_LINK}>
            {signIn.action}
          </Link>
        </>
      }
    >
      {service !== undefined && <WhoMaySignUp service={service} />}
      {!isClosed && <SignUpFields action={signUp.action} {...{ person, onPerson, busy, error, onSubmit }} />}
    </OpenLayout>
  );
}

function WhoMaySignUp({ service }: { service: ServiceInfo }) {
  const { signUp, noMail } = texts.signIn;
  if (service.signUp === "closed") return <Notice kind="warn">{signUp.closed}</Notice>;
  if (!service.mail) return <Notice kind="warn">{noMail}</Notice>;
  if (service.signUp === "invited") return <Notice>{signUp.invited}</Notice>;
  return service.emailDomainsLimited ? <Notice>{signUp.domains}</Notice> : null;
}

interface CheckMailProps {
  email: string;
  /** When the mail was asked for. */
  since: number;
  busy: boolean;
  error: unknown;
  onResend: () => void;
  onBack: () => void;
}

function CheckMailPage({ email, since, busy, error, onResend, onBack }: CheckMailProps) {
  const { check } = texts.signIn.signUp;
  const { next } = useNext();
  const arrive = useArrive();
  // The mail's link opens another tab. An app that waits for its answer waits for it in this one.
  useSignedInElsewhere(() => next === AUTHORIZE_PATH && arrive());
  return (
    <OpenLayout
      title={check.title}
      lead={check.text(email)}
      footer={
        <button type="button" className={TEXT_LINK} onClick={onBack}>
          {check.other}
        </button>
      }
    >
      <LocalMail key={since} email={email} since={since} />
      {error !== null && <ErrorNotice error={error} />}
      <p className="text-sm text-soft">{check.resendHint}</p>
      <Button busy={busy} onClick={onResend}>
        <MailCheck size={18} aria-hidden />
        {check.resend}
      </Button>
    </OpenLayout>
  );
}
