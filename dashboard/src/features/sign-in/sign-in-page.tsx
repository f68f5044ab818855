import { useMutation } from "@tanstack/react-query";
import { Link, Navigate, useRouterState } from "@tanstack/react-router";
import { KeyRound } from "lucide-react";
import { useState, type FormEvent } from "react";
import { call } from "../../api/client.ts";
import type { SecondStep } from "../../api/types.ts";
import { AUTHORIZE_PATH } from "../../lib/authorization-request.ts";
import { forgetLinkToken, useLinkToken } from "../../lib/link-token.ts";
import { explainPasskeyError, HAS_PASSKEYS } from "../../identity/passkey.ts";
import { texts } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { InputField } from "../../ui/field.tsx";
import { PasswordField } from "../../ui/password-field.tsx";
import { ErrorNotice, explainError, fieldError, Notice } from "../../ui/notice.tsx";
import { useArrive, useNext } from "./arrive.ts";
import { focusOn } from "../../lib/focus.ts";
import { OpenLayout, TEXT_LINK } from "../../ui/open-layout.tsx";
import { DeadLinkPage, Divider, PendingNotice } from "./page-parts.tsx";
import { useService } from "../../api/use-service.ts";
import { isDeadToken, useSendOnce, useVisitor } from "./queries.ts";
import { SecondStepPage } from "./second-step.tsx";
import { useKeptInvitation } from "./use-kept-invitation.ts";
import { usePasskeySignIn } from "./use-passkey-sign-in.ts";

/** The session, or what the second step accepts. */
type Outcome = object | SecondStep;

export function SignInPage() {
  const token = useLinkToken();
  const arrive = useArrive();
  const [step, setStep] = useState<SecondStep | null>(null);
  const [late, setLate] = useState(false);
  const [email, setEmail] = useState<string | null>(null);
  const { received } = useKeptInvitation();
  const proceed = (outcome: Outcome) => {
    if ("mfa" in outcome) setStep(outcome);
    else arrive();
  };
  const back = (isLate: boolean) => {
    setStep(null);
    setLate(isLate);
  };
  if (step !== null) return <SecondStepPage accepts={step.mfa} onDone={() => arrive()} onBack={back} />;
  if (token !== null) return <LinkSignIn key={token} token={token} onOutcome={proceed} />;
  return <FirstStep email={email ?? received?.email ?? ""} onEmail={setEmail} late={late} onOutcome={proceed} />;
}

function LinkSignIn({ token, onOutcome }: { token: string; onOutcome: (outcome: Outcome) => void }) {
  const { error, retry } = useSendOnce(async () => {
    const outcome = await call<Outcome>("POST", "/api/auth/sign-in/link", { body: { token } });
    forgetLinkToken();
    onOutcome(outcome);
  });
  const { title, text } = texts.signIn.linkSignIn;
  if (isDeadToken(error)) return <DeadLinkPage />;
  return (
    <OpenLayout title={title}>
      {error === null ? <PendingNotice>{text}</PendingNotice> : <ErrorNotice error={error} onRetry={retry} />}
    </OpenLayout>
  );
}

interface FirstStepProps {
  email: string;
  onEmail: (email: string) => void;
  late: boolean;
  onOutcome: (outcome: Outcome) => void;
}

function FirstStep({ email, onEmail, late, onOutcome }: FirstStepProps) {
  const search = useNext();
  const ended = useRouterState({ select: ({ location }) => location.state.endedSession });
  const service = useService();
  const visitor = useVisitor();
  const arrive = useArrive();
  const passkey = usePasskeySignIn(() => arrive());
  const { signIn, second, passkey: passkeyLabel, or, noSignIn, signedInAs, goOn } = texts.signIn;
  if (service?.claimed === false) return <Navigate to="/claim" replace />;
  const canSignUp = service !== undefined && service.signUp !== "closed" && service.mail;
  return (
    <OpenLayout
      title={signIn.title}
      {...(search.next === AUTHORIZE_PATH && { lead: texts.signIn.forApp })}
      footer={
        <>
          <Link to="/forgot-password" search={search} className={TEXT_LINK}>
            {texts.signIn.forgot.link}
          </Link>
          {canSignUp && (
            <span className="mt-2 block">
              {signIn.newHere}{" "}
              <Link to="/sign-up" search={search} className={TEXT_LINK}>
                {texts.signIn.signUp.link}
              </Link>
            </span>
          )}
        </>
      }
    >
      {service?.signIn === false && <Notice kind="warn">{noSignIn}</Notice>}
      {late && <Notice kind="warn">{second.again}</Notice>}
      {ended !== undefined && !visitor.data && (
        <Notice kind="warn" title={texts.signIn.ended.title}>
          {ended.hasDraft && texts.signIn.ended.draft}
        </Notice>
      )}
      {visitor.data && (
        <Notice
          action={
            <Button size="small" onClick={() => arrive()}>
              {goOn}
            </Button>
          }
        >
          {signedInAs(visitor.data.user.email)}
        </Notice>
      )}
      {passkey.error !== null && <Notice kind="bad">{explainPasskeyError(passkey.error)}</Notice>}
      <PasswordForm email={email} onEmail={onEmail} onOutcome={onOutcome} />
      {HAS_PASSKEYS && (
        <>
          <Divider>{or}</Divider>
          <Button busy={passkey.isBusy} onClick={passkey.ask}>
            <KeyRound size={18} aria-hidden />
            {passkeyLabel}
          </Button>
        </>
      )}
    </OpenLayout>
  );
}

function PasswordForm({ email, onEmail, onOutcome }: Omit<FirstStepProps, "late">) {
  const [password, setPassword] = useState("");
  const [missing, setMissing] = useState({ email: false, password: false });
  const { address, addressMissing, password: label, passwordMissing, signIn: page } = texts.signIn;
  const signIn = useMutation({
    mutationFn: () => call<Outcome>("POST", "/api/auth/sign-in", { body: { email, password } }),
    onSuccess: onOutcome,
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const lacks = { email: email.trim() === "", password: password === "" };
    setMissing(lacks);
    if (lacks.email || lacks.password) focusOn(event.currentTarget, lacks);
    else if (!signIn.isPending) signIn.mutate();
  };
  const emailError = fieldError(signIn.error, "email");
  return (
    <form className="grid gap-4" noValidate onSubmit={submit}>
      <InputField
        label={address}
        error={missing.email ? addressMissing : emailError}
        type="email"
        name="email"
        autoComplete="username webauthn"
        autoFocus
        value={email}
        onValue={onEmail}
      />
      <PasswordField
        label={label}
        error={missing.password ? passwordMissing : !emailError && signIn.isError && explainError(signIn.error)}
        name="password"
        autoComplete="current-password webauthn"
        value={password}
        onValue={setPassword}
      />
      <Button type="submit" kind="primary" busy={signIn.isPending}>
        {page.action}
      </Button>
    </form>
  );
}
