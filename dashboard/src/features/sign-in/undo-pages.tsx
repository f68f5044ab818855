import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { call } from "../../api/client.ts";
import { forgetLinkToken, useLinkToken } from "../../lib/link-token.ts";
import { forgetSession } from "../../session.ts";
import { texts } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorNotice } from "../../ui/notice.tsx";
import { LiveLink } from "./live-link.tsx";
import { OpenLayout, TEXT_LINK } from "../../ui/open-layout.tsx";
import { DeadLinkPage } from "./page-parts.tsx";
import { isDeadToken } from "./queries.ts";

const { undoEmail, undoFactor } = texts.signIn;

export const UndoEmailPage = () => (
  <UndoPage purpose="undo_email" path="/api/auth/email/undo" explanation={undoEmail} />
);

export const UndoFactorPage = () => (
  <UndoPage purpose="undo_factor" path="/api/auth/mfa/undo" explanation={undoFactor} />
);

interface UndoPageProps {
  purpose: "undo_email" | "undo_factor";
  /** The call that uses the token. */
  path: string;
  explanation: typeof undoEmail;
}

/** Nothing happens before a click: programs that check mails open their links. */
function UndoPage({ purpose, path, explanation }: UndoPageProps) {
  const token = useLinkToken();
  const undo = useMutation({
    mutationFn: () => call("POST", path, { body: { token } }),
    onSuccess: () => {
      forgetLinkToken();
      forgetSession();
    },
  });
  if (undo.isSuccess && token === null) return <OpenLayout title={explanation.done} lead={explanation.doneText} />;
  if (token === null) return <DeadLinkPage missing />;
  if (isDeadToken(undo.error)) return <DeadLinkPage />;
  return (
    <LiveLink token={token} purpose={purpose} title={explanation.title}>
      <OpenLayout
        title={explanation.title}
        lead={explanation.lead}
        footer={
          <Link to="/links" className={TEXT_LINK}>
            {explanation.leave}
          </Link>
        }
      >
        {undo.isError && <ErrorNotice error={undo.error} />}
        <Button kind="primary" busy={undo.isPending} onClick={() => undo.mutate()}>
          {explanation.action}
        </Button>
      </OpenLayout>
    </LiveLink>
  );
}
