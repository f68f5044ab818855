import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { MailCheck } from "lucide-react";
import { useState, type FormEvent } from "react";
import { MAX_USER_NAME_CHARS } from "../../../../src/limits.ts";
import { call } from "../../api/client.ts";
import type { ServiceInfo } from "../../api/types.ts";
import { texts } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { InputField } from "../../ui/input-field.tsx";
import { ErrorNotice, explainError, fieldError, Notice } from "../../ui/notice.tsx";
import { showToast } from "../../ui/toast.tsx";
import { useNext } from "./arrive.ts";
import { focusOn } from "../../lib/focus.ts";
import { LocalMail } from "../../shell/local-mail.tsx";
import { NewPasswordField } from "../../shell/new-password-field.tsx";
import { OpenLayout, TEXT_LINK } from "./open-layout.tsx";
import { useService } from "./queries.ts";

const EMPTY = { name: "", email: "", password: "" };
type NewPerson = typeof EMPTY;

export function SignUpPage() {
  const [person, setPerson] = useState(EMPTY);
  const [sentAt, setSentAt] = useState<number | null>(null);
  const signUp = useMutation({
    mutationFn: () => call("POST", "/api/auth/sign-up", { body: person }),
    onMutate: () => Date.now(),
    onSuccess: (_, __, startedAt) => setSentAt(startedAt),
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

interface SignUpFormProps {
  person: NewPerson;
  onPerson: (person: NewPerson) => void;
  busy: boolean;
  error: unknown;
  onSubmit: () => void;
}

function SignUpForm({ person, onPerson, busy, error, onSubmit }: SignUpFormProps) {
  const service = useService();
  const search = useNext();
  const { signUp, signIn } = texts.signIn;
  const isClosed = service !== undefined && (service.signUp === "closed" || !service.mail);
  return (
    <OpenLayout
      title={signUp.title}
      {...(!isClosed && { lead: signUp.lead })}
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
      {!isClosed && <Fields {...{ person, onPerson, busy, error, onSubmit }} />}
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

function Fields({ person, onPerson, busy, error, onSubmit }: SignUpFormProps) {
  const [missing, setMissing] = useState({ name: false, email: false, password: false });
  const { name, nameMissing, address, addressMissing, password, passwordMissing, signUp } = texts.signIn;
  const errors = {
    name: missing.name ? nameMissing : fieldError(error, "name"),
    email: missing.email ? addressMissing : fieldError(error, "email"),
    password: missing.password ? passwordMissing : fieldError(error, "password"),
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const lacks = {
      name: person.name.trim() === "",
      email: person.email.trim() === "",
      password: person.password === "",
    };
    setMissing(lacks);
    if (lacks.name || lacks.email || lacks.password) focusOn(event.currentTarget, lacks);
    else if (!busy) onSubmit();
  };
  const change = (changes: Partial<NewPerson>) => onPerson({ ...person, ...changes });
  const isOther = error !== null && Object.values(errors).every((each) => each === undefined);
  return (
    <form className="grid gap-4" noValidate onSubmit={submit}>
      <InputField
        label={name}
        name="name"
        autoComplete="name"
        autoFocus
        maxLength={MAX_USER_NAME_CHARS}
        error={errors.name}
        value={person.name}
        onValue={(value) => change({ name: value })}
      />
      <InputField
        label={address}
        type="email"
        name="email"
        autoComplete="username"
        error={errors.email}
        value={person.email}
        onValue={(value) => change({ email: value })}
      />
      <NewPasswordField
        label={password}
        owner={person}
        error={errors.password}
        value={person.password}
        onValue={(value) => change({ password: value })}
      />
      {isOther && <Notice kind="bad">{explainError(error)}</Notice>}
      <Button type="submit" kind="primary" busy={busy}>
        {signUp.action}
      </Button>
    </form>
  );
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
