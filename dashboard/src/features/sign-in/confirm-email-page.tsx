import { Link } from "@tanstack/react-router";
import { ApiError, call } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import { forgetLinkToken, useLinkToken } from "../../lib/link-token.ts";
import { useState } from "react";
import { texts } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorNotice } from "../../ui/notice.tsx";
import { LiveLink } from "./live-link.tsx";
import { OpenLayout } from "../../ui/open-layout.tsx";
import { DeadLinkPage, PendingNotice } from "./page-parts.tsx";
import { isDeadToken, useSendOnce } from "./queries.ts";

const { confirmEmail } = texts.signIn;

export function ConfirmEmailPage() {
  const token = useLinkToken();
  const [done, setDone] = useState(false);
  const finish = () => {
    forgetLinkToken();
    setDone(true);
  };
  if (done && token === null)
    return (
      <OpenLayout title={confirmEmail.done}>
        <Button kind="primary" asChild>
          <Link to="/settings/$section" params={{ section: "person" }}>
            {confirmEmail.settings}
          </Link>
        </Button>
      </OpenLayout>
    );
  if (token === null) return <DeadLinkPage missing />;
  return (
    <LiveLink key={token} token={token} purpose="confirm_email" title={confirmEmail.title}>
      <Confirmation token={token} onDone={finish} />
    </LiveLink>
  );
}

function Confirmation({ token, onDone }: { token: string; onDone: () => void }) {
  const { error, retry } = useSendOnce(async () => {
    await call("POST", "/api/auth/email/confirm", { body: { token } });
    await queryClient.invalidateQueries({ queryKey: ["session"] });
    onDone();
  });
  if (isDeadToken(error)) return <DeadLinkPage />;
  const status = error instanceof ApiError ? error.status : null;
  if (status === 401 || status === 403)
    return (
      <OpenLayout title={confirmEmail.title} lead={status === 401 ? confirmEmail.signedOut : confirmEmail.wrong}>
        <Button kind="primary" asChild>
          <Link to="/sign-in" search={{ next: "/app/confirm-email" }}>
            {confirmEmail.signIn}
          </Link>
        </Button>
      </OpenLayout>
    );
  return (
    <OpenLayout title={confirmEmail.title}>
      {error === null ? (
        <PendingNotice>{confirmEmail.pending}</PendingNotice>
      ) : (
        <ErrorNotice error={error} onRetry={retry} />
      )}
    </OpenLayout>
  );
}
