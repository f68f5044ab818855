import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ROLES, type Role } from "#src/platform/auth/roles.ts";
import { ApiError } from "../../api/client.ts";
import { forgetRequest } from "../../lib/authorization-request.ts";
import { lazyPart } from "../../lib/lazy-part.ts";
import { useSession } from "../../session.ts";
import { useRequestHooks } from "../../shell/request-hooks.ts";
import { texts } from "../../texts/index.ts";
import { Skeleton } from "../../ui/layout.tsx";
import { LazyDialogs } from "../../ui/lazy-dialogs.tsx";
import { ErrorNotice } from "../../ui/notice.tsx";
import { OpenLayout } from "../../ui/open-layout.tsx";
import { AccountField } from "./account-field.tsx";
import { Consent } from "./consent.tsx";
import { leaveTo } from "./leave.ts";
import { LeavingPage } from "./leaving-page.tsx";
import { answerRequest, useAppRequest, type Answer } from "./queries.ts";
import { RefusedPage } from "./refused-page.tsx";
import { Link } from "@tanstack/react-router";
import { factorsQuery } from "../../api/resources.ts";
import { Button } from "../../ui/button.tsx";

const IdentityDialog = lazyPart(() =>
  import("../../identity/identity-dialog.tsx").then(({ IdentityDialog }) => IdentityDialog),
);

const nothing = () => undefined;

/** Shows what the app asks for, takes the answer, and leads to the app with it. */
export function RequestPage({ query }: { query: string }) {
  const { account, accounts } = useSession();
  const request = useAppRequest(query, account.id);
  const [isConfirming, endConfirmation] = useRequestHooks(nothing, nothing);
  const [isProving, setProving] = useState(false);
  const answer = useMutation({
    mutationFn: ({ answer: given }: { answer: Answer; accountId: string }) => answerRequest(query, given),
    onSuccess: (redirectUri) => {
      forgetRequest();
      leaveTo(redirectUri);
    },
  });
  const answerError = answer.variables?.accountId === account.id ? answer.error : null;
  const error = request.error ?? answerError;
  if (answer.isSuccess && request.data !== undefined)
    return (
      <LeavingPage app={request.data.client} isAllowed={answer.variables.answer.allow} redirectUri={answer.data} />
    );
  if (error instanceof ApiError && isOfApp(error))
    return (
      <RefusedPage
        // Only the request of an app that is known has a redirect URI to go back to.
        isUnknown={error.redirectUri === null}
        code={error.code}
        detail={error.message}
        redirectUri={error.redirectUri}
      >
        {error.redirectUri !== null && accounts.some(({ role }) => isHigher(role, account.role)) && (
          <>
            <p>{texts.authorize.refused.otherAccount(account.name)}</p>
            <AccountField />
          </>
        )}
      </RefusedPage>
    );
  return (
    <>
      {request.data === undefined ? (
        <OpenLayout wide title={texts.authorize.pending}>
          {request.error === null ? (
            <Skeleton className="h-48" />
          ) : (
            <>
              <ErrorNotice error={request.error} onRetry={() => void request.refetch()} />
              <AccountField />
              {isFactorNeeded(request.error) && <FactorStep onConfirm={() => setProving(true)} />}
            </>
          )}
        </OpenLayout>
      ) : (
        <Consent
          request={request.data}
          isReading={request.isReading}
          busy={answer.isPending ? answer.variables.answer.allow : null}
          error={answerError}
          onAnswer={(given) => answer.mutate({ answer: given, accountId: account.id })}
        />
      )}
      <LazyDialogs
        onFail={() => {
          setProving(false);
          endConfirmation(false);
        }}
      >
        {isConfirming && <IdentityDialog onDone={endConfirmation} />}
        {isProving && (
          <IdentityDialog
            onDone={(isConfirmed) => {
              setProving(false);
              if (isConfirmed) void request.refetch();
            }}
          />
        )}
      </LazyDialogs>
    </>
  );
}

/** Whether the request itself is wrong, so that trying it again makes nothing better. */
const isOfApp = ({ code }: ApiError): boolean => code === "invalid_authorization";

/** A role that has none of what an app asks for makes its request wrong, too. */
const isHigher = (role: Role, other: Role): boolean => ROLES.indexOf(role) < ROLES.indexOf(other);

const isFactorNeeded = (error: unknown): boolean => error instanceof ApiError && error.code === "mfa_required";

const { add, confirm } = texts.shell.factorNeeded;

/** What a person can do about a team that requires a second factor which was not given in this session. */
function FactorStep({ onConfirm }: { onConfirm: () => void }) {
  const { data: factors } = useQuery(factorsQuery);
  if (factors === undefined) return null;
  if (factors.totp || factors.passkeys.length > 0)
    return (
      <Button kind="primary" onClick={onConfirm}>
        {confirm.action}
      </Button>
    );
  return (
    <Button kind="primary" asChild>
      {/* The request waits here. */}
      <Link to="/settings/$section" params={{ section: "security" }} target="_blank">
        {add.action}
      </Link>
    </Button>
  );
}
