import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import { forgetLinkToken, useLinkToken } from "../../lib/link-token.ts";
import { texts } from "../../texts/index.ts";
import { Checkbox, InputField } from "../../ui/field.tsx";
import { Skeleton } from "../../ui/layout.tsx";
import { ErrorNotice, fieldError } from "../../ui/notice.tsx";
import { OpenLayout, TEXT_LINK } from "../../ui/open-layout.tsx";
import { showToast } from "../../ui/toast.tsx";
import { useArrive } from "./arrive.ts";
import { useServiceQuery } from "../../api/use-service.ts";
import { EMPTY_PERSON, SignUpFields } from "./sign-up-fields.tsx";
import { MAX_SETUP_CODE_CHARS } from "#src/identity/setup/limits.ts";

/** Where the first person of a new installation is made, with the setup code of the deployment. */
export function ClaimPage() {
  const { data, error, refetch } = useServiceQuery();
  const token = useLinkToken();
  const { claim, signIn } = texts.signIn;
  if (data === undefined)
    return (
      <OpenLayout title={signIn.title}>
        {error === null ? <Skeleton className="h-24" /> : <ErrorNotice error={error} onRetry={() => void refetch()} />}
      </OpenLayout>
    );
  const { service } = data;
  if (!service.claimed) return <ClaimForm key={token} given={token ?? ""} hasHost={service.signIn} />;
  return (
    <OpenLayout title={claim.claimed}>
      <Link to="/sign-in" className={TEXT_LINK}>
        {signIn.action}
      </Link>
    </OpenLayout>
  );
}

/** `given` is the code of the link. `hasHost`: the operator has set the host. If not, the installation takes that of this page. */
function ClaimForm({ given, hasHost }: { given: string; hasHost: boolean }) {
  const arrive = useArrive();
  const [person, setPerson] = useState(EMPTY_PERSON);
  const [code, setCode] = useState(given);
  const [confirmed, setConfirmed] = useState(false);
  const [missing, setMissing] = useState({ code: false, host: false });
  const { claim: page } = texts.signIn;
  const claim = useMutation({
    mutationFn: () =>
      call("POST", "/api/claim", { body: { ...person, code, ...(!hasHost && { origin: location.origin }) } }),
    onSuccess: () => {
      forgetLinkToken();
      queryClient.removeQueries({ queryKey: ["service"] });
      arrive("/app/settings/security");
      showToast({ title: page.done, text: page.doneText });
    },
  });
  const submit = () => {
    const lacks = { code: code.trim() === "", host: !hasHost && !confirmed };
    setMissing(lacks);
    if (!lacks.code && !lacks.host) claim.mutate();
  };
  const codeError = missing.code ? page.codeMissing : fieldError(claim.error, "code");
  const hostError = missing.host ? page.hostMissing : fieldError(claim.error, "origin");
  return (
    <OpenLayout title={page.title} lead={page.lead}>
      <SignUpFields
        action={page.action}
        person={person}
        onPerson={setPerson}
        busy={claim.isPending}
        error={codeError || hostError ? null : claim.error}
        onSubmit={submit}
      >
        <InputField
          label={page.code}
          hint={page.codeHint}
          error={codeError}
          name="code"
          dir="ltr"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          autoFocus
          maxLength={MAX_SETUP_CODE_CHARS}
          value={code}
          onValue={setCode}
        />
        {!hasHost && (
          <div>
            <Checkbox
              label={page.host(`${location.origin}/`)}
              hint={page.hostHint}
              checked={confirmed}
              onChange={({ currentTarget }) => setConfirmed(currentTarget.checked)}
            />
            {hostError && (
              <p role="alert" className="mt-1.5 text-sm text-bad first-letter:uppercase">
                {hostError}
              </p>
            )}
          </div>
        )}
      </SignUpFields>
    </OpenLayout>
  );
}
