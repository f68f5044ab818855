import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState, type FormEvent } from "react";
import { call } from "../../api/client.ts";
import { asksPerson, AUTHORIZE_PATH } from "../../lib/authorization-request.ts";
import { forgetLinkToken, useLinkToken } from "../../lib/link-token.ts";
import { forgetSession } from "../../session.ts";
import { texts } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { explainError, fieldError } from "../../ui/notice.tsx";
import { NewPasswordField } from "../../identity/new-password-field.tsx";
import { LiveLink } from "./live-link.tsx";
import { OpenLayout } from "../../ui/open-layout.tsx";
import { DeadLinkPage } from "./page-parts.tsx";
import { isDeadToken } from "./queries.ts";
import { focusOnly } from "../../lib/focus.ts";

export function ResetPasswordPage() {
  const [done, setDone] = useState(false);
  const token = useLinkToken();
  const { reset, signIn } = texts.signIn;
  const finish = () => {
    forgetLinkToken();
    forgetSession();
    setDone(true);
  };
  // The link of another mail may have opened this page again.
  if (done && token === null)
    return (
      <OpenLayout title={reset.done} lead={reset.doneText}>
        <Button kind="primary" asChild>
          <Link to="/sign-in" search={asksPerson() ? { next: AUTHORIZE_PATH } : {}}>
            {signIn.action}
          </Link>
        </Button>
      </OpenLayout>
    );
  if (token === null) return <DeadLinkPage missing />;
  return (
    <LiveLink key={token} token={token} purpose="reset_password" title={reset.title} dead={<DeadResetPage />}>
      <NewPassword token={token} onDone={finish} />
    </LiveLink>
  );
}

function DeadResetPage() {
  return (
    <DeadLinkPage>
      <Button asChild>
        <Link to="/forgot-password">{texts.signIn.reset.another}</Link>
      </Button>
    </DeadLinkPage>
  );
}

function NewPassword({ token, onDone }: { token: string; onDone: () => void }) {
  const [password, setPassword] = useState("");
  const [missing, setMissing] = useState(false);
  const change = useMutation({
    mutationFn: () => call("POST", "/api/auth/password/reset", { body: { token, password } }),
    onSuccess: onDone,
  });
  const { reset, passwordMissing } = texts.signIn;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setMissing(password === "");
    if (password === "") focusOnly(event.currentTarget);
    else if (!change.isPending) change.mutate();
  };
  if (isDeadToken(change.error)) return <DeadResetPage />;
  const wrong = fieldError(change.error, "password");
  return (
    <OpenLayout title={reset.title} lead={reset.lead}>
      <form className="grid gap-4" noValidate onSubmit={submit}>
        <NewPasswordField
          error={missing ? passwordMissing : (wrong ?? (change.isError && explainError(change.error)))}
          value={password}
          onValue={setPassword}
        />
        <Button type="submit" kind="primary" busy={change.isPending}>
          {reset.action}
        </Button>
      </form>
    </OpenLayout>
  );
}
