import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState, type FormEvent } from "react";
import { call } from "../../api/client.ts";
import { asksPerson, AUTHORIZE_PATH } from "../../lib/authorization-request.ts";
import { forgetLinkToken, useLinkToken } from "../../lib/link-token.ts";
import { texts } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorNotice, explainError, fieldError } from "../../ui/notice.tsx";
import { useArrive } from "./arrive.ts";
import { NewPasswordField } from "../../identity/new-password-field.tsx";
import { INVITATION_PATH, readInvitation } from "./next-path.ts";
import { OpenLayout } from "../../ui/open-layout.tsx";
import { DeadLinkPage, PendingNotice } from "./page-parts.tsx";
import { isDeadToken, useSendOnce } from "./queries.ts";
import { focusOnly } from "../../lib/focus.ts";

export function VerifyEmailPage() {
  const token = useLinkToken();
  return token === null ? <DeadLinkPage missing /> : <Verification key={token} token={token} />;
}

function Verification({ token }: { token: string }) {
  const arrive = useArrive();
  const verify = async (password?: string) => {
    await call("POST", "/api/auth/verify-email", { body: { token, password } });
    forgetLinkToken();
    arrive(waitingPath());
  };
  const { error, retry } = useSendOnce(verify);
  const { verify: page, signUp } = texts.signIn;
  if (isDeadToken(error))
    return (
      <DeadLinkPage>
        <Button asChild>
          <Link to="/sign-up">{signUp.link}</Link>
        </Button>
      </DeadLinkPage>
    );
  // The service wants one from every other browser than that of the sign-up.
  if (fieldError(error, "password") !== undefined) return <OtherBrowser onVerify={verify} />;
  return (
    <OpenLayout title={page.title}>
      {error === null ? <PendingNotice>{page.pending}</PendingNotice> : <ErrorNotice error={error} onRetry={retry} />}
    </OpenLayout>
  );
}

/** The page for which the person signed up; undefined if it was for itself. */
function waitingPath(): string | undefined {
  if (readInvitation() !== null) return INVITATION_PATH;
  return asksPerson() ? AUTHORIZE_PATH : undefined;
}

function OtherBrowser({ onVerify }: { onVerify: (password: string) => Promise<void> }) {
  const [password, setPassword] = useState("");
  const [missing, setMissing] = useState(false);
  const verification = useMutation({ mutationFn: onVerify });
  const { verify: page, password: label, passwordMissing } = texts.signIn;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setMissing(password === "");
    if (password === "") focusOnly(event.currentTarget);
    else if (!verification.isPending) verification.mutate(password);
  };
  if (isDeadToken(verification.error)) return <DeadLinkPage />;
  const wrong = fieldError(verification.error, "password");
  return (
    <OpenLayout title={page.title} lead={page.elsewhere}>
      <form className="grid gap-4" noValidate onSubmit={submit}>
        <NewPasswordField
          label={label}
          error={missing ? passwordMissing : (wrong ?? (verification.isError && explainError(verification.error)))}
          value={password}
          onValue={setPassword}
        />
        <Button type="submit" kind="primary" busy={verification.isPending}>
          {page.action}
        </Button>
      </form>
    </OpenLayout>
  );
}
