import { useMutation, useQuery } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { useState, type FormEvent } from "react";
import { isLoopbackName } from "#src/platform/lib/hosts.ts";
import { call } from "../api/client.ts";
import { factorsQuery } from "../api/resources.ts";
import type { SecondFactors } from "../api/types.ts";
import { useSession } from "../session.ts";
import { texts } from "../texts/index.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { InputField } from "../ui/field.tsx";
import { PasswordField } from "../ui/password-field.tsx";
import { Skeleton } from "../ui/layout.tsx";
import { ErrorNotice, explainError, Notice } from "../ui/notice.tsx";
import { askForPasskey, explainPasskeyError, HAS_PASSKEYS } from "./passkey.ts";

const { confirmIdentity } = texts.shell;

/** Whether the service runs on the person's machine, as `npm start` does. */
const IS_LOCAL = isLoopbackName(location.hostname);

/** Asks the person for a second factor, for the password of a person who has none, or offers what is there without both. */
export function IdentityDialog({ onDone }: { onDone: (confirmed: boolean) => void }) {
  // Read anew: a factor may have been added in another window.
  const factors = useQuery({ ...factorsQuery, staleTime: 0 });
  return (
    <Dialog size="small" onClose={() => onDone(false)} title={confirmIdentity.title} description={confirmIdentity.text}>
      {factors.isSuccess ? (
        <Proofs factors={factors.data} onConfirmed={() => onDone(true)} />
      ) : factors.isError ? (
        <ErrorNotice error={factors.error} onRetry={() => void factors.refetch()} />
      ) : (
        <Skeleton className="h-28" />
      )}
    </Dialog>
  );
}

function Proofs({ factors, onConfirmed }: { factors: SecondFactors; onConfirmed: () => void }) {
  const hasPasskey = factors.passkeys.length > 0;
  const canUsePasskey = hasPasskey && HAS_PASSKEYS;
  const hasFactor = factors.totp || hasPasskey;
  const usesPassword = !hasFactor && factors.password;
  return (
    <div className="grid gap-4">
      {canUsePasskey && <PasskeyProof focused={!factors.totp} onConfirmed={onConfirmed} />}
      {canUsePasskey && factors.totp && <p className="text-center text-sm text-soft">{texts.shell.or}</p>}
      {(usesPassword || factors.totp) && <TypedProof usesCode={factors.totp} onConfirmed={onConfirmed} />}
      {hasPasskey && !canUsePasskey && !factors.totp && <Notice kind="warn">{confirmIdentity.noPasskeyHere}</Notice>}
      {!hasFactor && !usesPassword && (IS_LOCAL ? <LocalProof onConfirmed={onConfirmed} /> : <PasswordByMail />)}
      {hasFactor && <p className="text-sm text-soft">{confirmIdentity.lostFactor}</p>}
    </div>
  );
}

function confirm(proof: object): Promise<unknown> {
  return call("POST", "/api/auth/confirm", { body: proof });
}

function PasskeyProof({ focused, onConfirmed }: { focused: boolean; onConfirmed: () => void }) {
  const proof = useMutation({
    mutationFn: async () => confirm({ passkey: await askForPasskey("/api/auth/confirm/options") }),
    onSuccess: onConfirmed,
  });
  return (
    <>
      {proof.isError && <Notice kind="bad">{explainPasskeyError(proof.error)}</Notice>}
      <Button
        kind={focused ? "primary" : "secondary"}
        autoFocus={focused}
        {...(focused && { "data-first-focus": "" })}
        busy={proof.isPending}
        onClick={() => proof.mutate()}
      >
        <KeyRound size={18} aria-hidden />
        {confirmIdentity.passkey}
      </Button>
    </>
  );
}

/** For a person of `npm start`, who has signed in by a link and has neither a password nor second factors. */
function LocalProof({ onConfirmed }: { onConfirmed: () => void }) {
  const proof = useMutation({ mutationFn: () => confirm({ local: true }), onSuccess: onConfirmed });
  return (
    <>
      <p className="text-soft">{confirmIdentity.local}</p>
      {proof.isError && <ErrorNotice error={proof.error} />}
      <Button kind="primary" autoFocus data-first-focus="" busy={proof.isPending} onClick={() => proof.mutate()}>
        {confirmIdentity.action}
      </Button>
    </>
  );
}

/** For a person whose password has been taken away, until another one is set. */
function PasswordByMail() {
  const { email } = useSession().user;
  const mail = useMutation({ mutationFn: () => call("POST", "/api/auth/password/forgot", { body: { email } }) });
  if (mail.isSuccess) return <Notice kind="good">{confirmIdentity.mailSent(email)}</Notice>;
  return (
    <>
      <p className="text-soft">{confirmIdentity.noPassword}</p>
      {mail.isError && <ErrorNotice error={mail.error} />}
      <Button kind="primary" autoFocus data-first-focus="" busy={mail.isPending} onClick={() => mail.mutate()}>
        {confirmIdentity.sendMail}
      </Button>
    </>
  );
}

function TypedProof({ usesCode, onConfirmed }: { usesCode: boolean; onConfirmed: () => void }) {
  const [secret, setSecret] = useState("");
  const proof = useMutation({
    mutationFn: () => confirm(usesCode ? { code: secret } : { password: secret }),
    onSuccess: onConfirmed,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!proof.isPending) proof.mutate();
  };
  const shared = {
    value: secret,
    onValue: setSecret,
    autoFocus: "always" as const,
    "data-first-focus": "",
    required: true,
    error: proof.isError && explainError(proof.error),
  };
  return (
    <form className="grid gap-4" onSubmit={submit}>
      {usesCode ? (
        <InputField
          {...shared}
          label={confirmIdentity.code}
          inputMode="numeric"
          autoComplete="one-time-code"
          className="tabular"
        />
      ) : (
        <PasswordField {...shared} label={confirmIdentity.password} autoComplete="current-password" />
      )}
      <Button type="submit" kind="primary" busy={proof.isPending}>
        {confirmIdentity.action}
      </Button>
    </form>
  );
}
