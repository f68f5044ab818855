import { useMutation } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { call } from "../../api/client.ts";
import { formatDay } from "../../lib/format.ts";
import { useSession } from "../../session.ts";
import { texts } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { InputField } from "../../ui/field.tsx";
import { Section } from "../../ui/layout.tsx";
import { explainError, fieldError, Notice } from "../../ui/notice.tsx";
import { LocalMail } from "../../identity/local-mail.tsx";
import { focusOnly } from "../../lib/focus.ts";
import { LanguageSection } from "./language-section.tsx";
import { NameForm } from "./name-form.tsx";
import { useService } from "#dashboard/api/use-service.ts";
import { readAgain } from "#dashboard/api/query-client.ts";
import { MAX_USER_NAME_CHARS } from "#src/identity/people/limits.ts";

const { nameAndAddress } = texts.person;

/** The person's name and address. */
export function NameAndAddressSettings() {
  const { user } = useSession();
  return (
    <>
      <NameForm
        words={{
          ...nameAndAddress.name,
          hint: `${nameAndAddress.name.hint} ${nameAndAddress.since(formatDay(user.createdAt))}`,
        }}
        current={user.name}
        maxLength={MAX_USER_NAME_CHARS}
        mayChange
        onSave={renameUser}
      />
      <AddressSection email={user.email} />
      <LanguageSection />
    </>
  );
}

async function renameUser(name: string): Promise<void> {
  await call("PATCH", "/api/auth/user", { body: { name } });
  await readAgain("session");
}

function AddressSection({ email }: { email: string }) {
  const [isOpen, setOpen] = useState(false);
  const isMailed = useService()?.mail !== false;
  const [address, setAddress] = useState("");
  const change = useMutation({
    mutationFn: () => call("POST", "/api/auth/email/change", { body: { email: address } }),
    onMutate: () => Date.now(),
  });
  return (
    <Section
      title={nameAndAddress.address}
      lead={isMailed ? nameAndAddress.addressLead : nameAndAddress.addressWithoutMail}
      actions={!isOpen && isMailed && <Button onClick={() => setOpen(true)}>{nameAndAddress.change}</Button>}
    >
      <p className="font-semibold break-all">{email}</p>
      {isOpen && !change.isSuccess && (
        <AddressForm
          address={address}
          onAddress={setAddress}
          busy={change.isPending}
          error={change.error}
          onSubmit={change.mutate}
          onCancel={() => setOpen(false)}
        />
      )}
      {isOpen && change.isSuccess && (
        <div className="mt-4 grid max-w-xl gap-3">
          <Notice
            title={nameAndAddress.sentTitle(address.trim())}
            action={
              <Button size="small" onClick={() => change.reset()}>
                {nameAndAddress.another}
              </Button>
            }
          >
            {nameAndAddress.sent(email)}
          </Notice>
          <LocalMail email={address.trim()} since={change.context ?? 0} />
        </div>
      )}
    </Section>
  );
}

interface AddressFormProps {
  address: string;
  onAddress: (address: string) => void;
  busy: boolean;
  error: unknown;
  onSubmit: () => void;
  onCancel: () => void;
}

function AddressForm({ address, onAddress, busy, error, onSubmit, onCancel }: AddressFormProps) {
  const [missing, setMissing] = useState(false);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setMissing(address.trim() === "");
    if (address.trim() === "") focusOnly(event.currentTarget);
    else if (!busy) onSubmit();
  };
  const wrong = error === null ? undefined : (fieldError(error, "email") ?? explainError(error));
  return (
    <form className="mt-4 grid max-w-md gap-4" noValidate onSubmit={submit}>
      <InputField
        label={nameAndAddress.newAddress}
        hint={nameAndAddress.newAddressHint}
        error={missing ? texts.signIn.addressMissing : wrong}
        type="email"
        autoComplete="email"
        autoFocus="always"
        value={address}
        onValue={onAddress}
      />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" kind="primary" busy={busy}>
          {nameAndAddress.send}
        </Button>
        <Button onClick={onCancel}>{texts.ui.cancel}</Button>
      </div>
    </form>
  );
}
