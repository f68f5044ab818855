import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../api/client.ts";
import { texts } from "../texts/index.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field, Input } from "../ui/field.tsx";
import { explainError } from "../ui/notice.tsx";
import { askForPasskey } from "./passkey.ts";

interface Factors {
  totp: boolean;
  passkeys: unknown[];
}

/** Asks the person for the password, or for a second factor if there is one. */
export function IdentityDialog({ onDone }: { onDone: (confirmed: boolean) => void }) {
  const { data: factors } = useQuery({
    queryKey: ["mfa"],
    queryFn: ({ signal }) => call<Factors>("GET", "/api/auth/mfa", { signal }),
  });
  const [secret, setSecret] = useState("");
  const confirm = useMutation({
    mutationFn: (proof: object) => call("POST", "/api/auth/confirm", { body: proof }),
    onSuccess: () => onDone(true),
  });
  const passkey = useMutation({
    mutationFn: async () => confirm.mutateAsync({ passkey: await askForPasskey("/api/auth/confirm/options") }),
  });
  const usesCode = factors?.totp === true;
  const usesPassword = factors !== undefined && !factors.totp && factors.passkeys.length === 0;
  const { title, text, password, code, passkey: passkeyLabel, action } = texts.shell.confirmIdentity;
  const error = confirm.error ?? passkey.error;
  return (
    <Dialog size="small" open onOpenChange={(open) => !open && onDone(false)} title={title} description={text}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          confirm.mutate(usesCode ? { code: secret } : { password: secret });
        }}
      >
        {(usesCode || usesPassword) && (
          <>
            <Field label={usesCode ? code : password} error={error === null ? undefined : explainError(error)}>
              {(control) => (
                <Input
                  {...control}
                  autoFocus
                  required
                  type={usesCode ? "text" : "password"}
                  inputMode={usesCode ? "numeric" : "text"}
                  autoComplete={usesCode ? "one-time-code" : "current-password"}
                  value={secret}
                  onChange={(event) => setSecret(event.target.value)}
                />
              )}
            </Field>
            <Button type="submit" kind="primary" busy={confirm.isPending}>
              {action}
            </Button>
          </>
        )}
        {factors !== undefined && factors.passkeys.length > 0 && (
          <Button kind={usesCode ? "secondary" : "primary"} busy={passkey.isPending} onClick={() => passkey.mutate()}>
            {passkeyLabel}
          </Button>
        )}
      </form>
    </Dialog>
  );
}
