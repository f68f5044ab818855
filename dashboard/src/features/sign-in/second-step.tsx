import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { KeyRound } from "lucide-react";
import { useState, type FormEvent } from "react";
import { ApiError, call } from "../../api/client.ts";
import type { SecondStep } from "../../api/types.ts";
import { askForPasskey, explainPasskeyError, HAS_PASSKEYS } from "../../identity/passkey.ts";
import { texts } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { InputField } from "../../ui/field.tsx";
import { explainError, Notice } from "../../ui/notice.tsx";
import { showToast } from "../../ui/toast.tsx";
import { OpenLayout, TEXT_LINK } from "../../ui/open-layout.tsx";
import { Divider } from "./page-parts.tsx";
import { focusOnly } from "../../lib/focus.ts";

interface SecondStepProps {
  accepts: SecondStep["mfa"];
  onDone: () => void;
  /** Back to the password; `late` if the five minutes are over. */
  onBack: (late: boolean) => void;
}

type Way = "totp" | "recovery";

/** Asks for a second factor after the right password. */
export function SecondStepPage({ accepts, onDone, onBack }: SecondStepProps) {
  const { second, or } = texts.signIn;
  const hasCode = accepts.includes("totp");
  const canUsePasskey = accepts.includes("passkey") && HAS_PASSKEYS;
  const [way, setWay] = useState<Way | null>(hasCode ? "totp" : canUsePasskey ? null : "recovery");
  const onError = (error: unknown) => {
    if (error instanceof ApiError && error.code === "unauthorized") onBack(true);
  };
  return (
    <OpenLayout
      title={second.title}
      lead={second.lead}
      footer={
        <button type="button" className={TEXT_LINK} onClick={() => onBack(false)}>
          {second.back}
        </button>
      }
    >
      {canUsePasskey && <PasskeyStep focused={way === null} onDone={onDone} onError={onError} />}
      {canUsePasskey && way !== null && <Divider>{or}</Divider>}
      {way !== null && <CodeStep key={way} way={way} onDone={onDone} onError={onError} />}
      {way !== "recovery" && accepts.includes("recovery") && (
        <button type="button" className={`${TEXT_LINK} justify-self-start`} onClick={() => setWay("recovery")}>
          {second.toRecovery}
        </button>
      )}
      {way === "recovery" && hasCode && (
        <button type="button" className={`${TEXT_LINK} justify-self-start`} onClick={() => setWay("totp")}>
          {second.toCode}
        </button>
      )}
    </OpenLayout>
  );
}

interface StepProps {
  onDone: () => void;
  onError: (error: unknown) => void;
}

function PasskeyStep({ focused, onDone, onError }: StepProps & { focused: boolean }) {
  const step = useMutation({
    mutationFn: async () => {
      const passkey = await askForPasskey("/api/auth/sign-in/mfa/options");
      return call("POST", "/api/auth/sign-in/mfa", { body: { passkey } });
    },
    onSuccess: onDone,
    onError,
  });
  return (
    <>
      {step.isError && <Notice kind="bad">{explainPasskeyError(step.error)}</Notice>}
      <Button
        kind={focused ? "primary" : "secondary"}
        autoFocus={focused}
        busy={step.isPending}
        onClick={() => step.mutate()}
      >
        <KeyRound size={18} aria-hidden />
        {texts.signIn.second.passkey}
      </Button>
    </>
  );
}

function CodeStep({ way, onDone, onError }: StepProps & { way: Way }) {
  const { second } = texts.signIn;
  const navigate = useNavigate();
  const [code, setCode] = useState("");
  const [missing, setMissing] = useState(false);
  const isRecovery = way === "recovery";
  const step = useMutation({
    mutationFn: () => call("POST", "/api/auth/sign-in/mfa", { body: isRecovery ? { recoveryCode: code } : { code } }),
    onSuccess: () => {
      onDone();
      if (!isRecovery) return;
      showToast({
        title: second.recoveryUsed,
        text: second.recoveryUsedText,
        action: {
          label: second.settings,
          run: () => void navigate({ to: "/settings/$section", params: { section: "security" } }),
        },
      });
    },
    onError,
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setMissing(code.trim() === "");
    if (code.trim() === "") focusOnly(event.currentTarget);
    else if (!step.isPending) step.mutate();
  };
  return (
    <form className="grid gap-4" noValidate onSubmit={submit}>
      <InputField
        label={isRecovery ? second.recovery : second.code}
        hint={isRecovery ? second.recoveryHint : second.codeHint}
        error={missing ? texts.signIn.codeMissing : step.isError && explainError(step.error)}
        autoFocus="always"
        inputMode={isRecovery ? "text" : "numeric"}
        autoComplete={isRecovery ? "off" : "one-time-code"}
        spellCheck={false}
        autoCapitalize="off"
        value={code}
        onValue={setCode}
      />
      <Button type="submit" kind="primary" busy={step.isPending}>
        {texts.signIn.signIn.action}
      </Button>
    </form>
  );
}
