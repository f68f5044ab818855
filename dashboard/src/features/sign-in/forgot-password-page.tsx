import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState, type FormEvent } from "react";
import { call } from "../../api/client.ts";
import { AUTHORIZE_PATH, shareRequest } from "../../lib/authorization-request.ts";
import { texts } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { InputField } from "../../ui/field.tsx";
import { explainError, fieldError } from "../../ui/notice.tsx";
import { LocalMail } from "../../identity/local-mail.tsx";
import { useNext } from "./arrive.ts";
import { OpenLayout, TEXT_LINK } from "../../ui/open-layout.tsx";
import { useService } from "../../api/use-service.ts";
import { focusOnly } from "../../lib/focus.ts";

export function ForgotPasswordPage() {
  const [email, setEmail] = useState("");
  const [missing, setMissing] = useState(false);
  const service = useService();
  const search = useNext();
  const { forgot, address, addressMissing } = texts.signIn;
  const request = useMutation({
    mutationFn: () => call("POST", "/api/auth/password/forgot", { body: { email } }),
    onMutate: () => Date.now(),
    onSuccess: () => {
      if (search.next === AUTHORIZE_PATH) shareRequest();
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setMissing(email.trim() === "");
    if (email.trim() === "") focusOnly(event.currentTarget);
    else if (!request.isPending) request.mutate();
  };
  const footer = (
    <Link to="/sign-in" search={search} className={TEXT_LINK}>
      {forgot.back}
    </Link>
  );
  if (request.isSuccess)
    return (
      <OpenLayout title={forgot.sentTitle} lead={forgot.sent(email.trim())} footer={footer}>
        <LocalMail email={email.trim()} since={request.context ?? 0} />
      </OpenLayout>
    );
  if (service?.mail === false) return <OpenLayout title={forgot.title} lead={forgot.noMail} footer={footer} />;
  return (
    <OpenLayout title={forgot.title} lead={forgot.lead} footer={footer}>
      <form className="grid gap-4" noValidate onSubmit={submit}>
        <InputField
          label={address}
          type="email"
          name="email"
          autoComplete="username"
          autoFocus="always"
          error={
            missing
              ? addressMissing
              : (fieldError(request.error, "email") ?? (request.isError && explainError(request.error)))
          }
          value={email}
          onValue={setEmail}
        />
        <Button type="submit" kind="primary" busy={request.isPending}>
          {forgot.action}
        </Button>
      </form>
    </OpenLayout>
  );
}
