import { useMutation } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { call } from "#dashboard/api/client.ts";
import type { NewAuthenticatorApp, SecondFactors } from "#dashboard/api/types.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Button } from "#dashboard/ui/button.tsx";
import { CopyText } from "#dashboard/ui/copy.tsx";
import { ConfirmDialog } from "#dashboard/ui/dialog.tsx";
import { FormDialog } from "#dashboard/ui/form-dialog.tsx";
import { InputField } from "#dashboard/ui/field.tsx";
import { Section, Badge } from "#dashboard/ui/layout.tsx";
import { ErrorNotice, explainError, fieldError } from "#dashboard/ui/notice.tsx";
import { showToast } from "#dashboard/ui/toast.tsx";
import { hasOneFactor, readAgain } from "./queries.ts";
import { RecoveryCodesDialog } from "./recovery-codes.tsx";
import { focusOnly } from "#dashboard/lib/focus.ts";

const { app, factors: words } = texts.person;

export function AuthenticatorSection({ factors }: { factors: SecondFactors }) {
  const [codes, setCodes] = useState<string[] | null>(null);
  const [isRemoving, setRemoving] = useState(false);
  const enrolment = useMutation({ mutationFn: () => call<NewAuthenticatorApp>("POST", "/api/auth/mfa/totp") });
  return (
    <Section
      title={<StateTitle on={factors.totp}>{app.title}</StateTitle>}
      lead={app.lead}
      className="[&>header:last-child]:mb-0"
      actions={
        factors.totp ? (
          <Button onClick={() => setRemoving(true)}>{app.remove}</Button>
        ) : (
          <Button busy={enrolment.isPending} onClick={() => enrolment.mutate()}>
            {app.add}
          </Button>
        )
      }
    >
      {enrolment.isError && <ErrorNotice error={enrolment.error} />}
      {enrolment.isSuccess && (
        <EnrolmentDialog
          enrolment={enrolment.data}
          onClose={() => enrolment.reset()}
          onAdded={(recoveryCodes) => {
            enrolment.reset();
            setCodes(recoveryCodes);
          }}
        />
      )}
      {codes !== null && <RecoveryCodesDialog codes={codes} onClose={() => setCodes(null)} />}
      {isRemoving && <RemoveDialog isLast={hasOneFactor(factors)} onClose={() => setRemoving(false)} />}
    </Section>
  );
}

interface EnrolmentDialogProps {
  enrolment: NewAuthenticatorApp;
  onClose: () => void;
  /** Gets the recovery codes of a first factor. */
  onAdded: (recoveryCodes: string[] | null) => void;
}

function EnrolmentDialog({ enrolment, onClose, onAdded }: EnrolmentDialogProps) {
  const [code, setCode] = useState("");
  const [missing, setMissing] = useState(false);
  const confirmation = useMutation({
    mutationFn: () =>
      call<{ recoveryCodes: string[] | null }>("POST", "/api/auth/mfa/totp/confirm", { body: { code } }),
    onSuccess: async ({ recoveryCodes }) => {
      if (recoveryCodes === null) showToast({ title: app.added });
      onAdded(recoveryCodes);
      await readAgain();
    },
  });
  const submit = (form: HTMLFormElement) => {
    setMissing(code.trim() === "");
    if (code.trim() === "") focusOnly(form);
    else confirmation.mutate();
  };
  const { error } = confirmation;
  const wrong = error === null ? undefined : (fieldError(error, "code") ?? explainError(error));
  return (
    <FormDialog
      onClose={onClose}
      title={app.addTitle}
      action={app.action}
      save={confirmation}
      error={null}
      noValidate
      onSubmit={submit}
    >
      <div className="grid gap-5 sm:grid-cols-[11rem_minmax(0,1fr)]">
        <img
          src={`data:image/svg+xml,${encodeURIComponent(enrolment.qr)}`}
          alt={app.qr}
          width={176}
          height={176}
          className="rounded-control border border-line"
        />
        <div className="grid content-start gap-3">
          <p>{app.scan}</p>
          <p>
            <Button size="small" asChild>
              <a href={enrolment.uri}>{app.open}</a>
            </Button>
          </p>
          <div>
            <p className="text-sm text-soft">{app.secret}</p>
            <CopyText text={enrolment.secret} label={app.secretLabel} />
          </div>
        </div>
      </div>
      <InputField
        label={app.code}
        error={missing ? app.codeMissing : wrong}
        autoFocus
        inputMode="numeric"
        autoComplete="one-time-code"
        className="max-w-56"
        value={code}
        onValue={setCode}
      />
    </FormDialog>
  );
}

function RemoveDialog({ isLast, onClose }: { isLast: boolean; onClose: () => void }) {
  const remove = async () => {
    await call("DELETE", "/api/auth/mfa/totp");
    onClose();
    showToast({ title: app.removed });
    await readAgain();
  };
  return (
    <ConfirmDialog
      onClose={onClose}
      title={app.removeTitle}
      description={isLast ? `${app.removeText} ${words.removeLast}` : app.removeText}
      action={app.removeAction}
      danger
      onConfirm={remove}
    />
  );
}

/** The heading of a factor, with whether it is on. */
function StateTitle({ on, children }: { on: boolean; children: ReactNode }) {
  const { factors } = texts.person;
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      {children} <Badge kind={on ? "good" : "neutral"}>{on ? factors.on : factors.off}</Badge>
    </span>
  );
}
