import { useState, type FormEvent, type ReactNode } from "react";
import { focusOn } from "../../lib/focus.ts";
import { NewPasswordField } from "../../identity/new-password-field.tsx";
import { texts } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { InputField } from "../../ui/field.tsx";
import { explainError, fieldError, Notice } from "../../ui/notice.tsx";
import { MAX_USER_NAME_CHARS } from "#src/identity/people/limits.ts";

export const EMPTY_PERSON = { name: "", email: "", password: "" };
type NewPerson = typeof EMPTY_PERSON;

export interface SignUpFieldsProps {
  /** The label of the button. */
  action: string;
  /** Whether the address is that of an invitation, which cannot be changed. */
  invited?: boolean;
  /** Fields that come first. The first of them takes the focus. */
  children?: ReactNode;
  person: NewPerson;
  onPerson: (person: NewPerson) => void;
  busy: boolean;
  error: unknown;
  onSubmit: () => void;
}

/** The form of a new person. */
export function SignUpFields(props: SignUpFieldsProps) {
  const { action, invited = false, children, person, onPerson, busy, error, onSubmit } = props;
  const [missing, setMissing] = useState({ name: false, email: false, password: false });
  const { name, nameMissing, address, addressMissing, password, passwordMissing } = texts.signIn;
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
      {children}
      <InputField
        label={name}
        name="name"
        autoComplete="name"
        autoFocus={children === undefined}
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
        readOnly={invited}
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
        {action}
      </Button>
    </form>
  );
}
