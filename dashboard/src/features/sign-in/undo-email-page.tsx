import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { call } from "../../api/client.ts";
import { forgetLinkToken, useLinkToken } from "../../lib/link-token.ts";
import { forgetSession } from "../../session.ts";
import { texts } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorNotice } from "../../ui/notice.tsx";
import { LiveLink } from "./live-link.tsx";
import { DeadLinkPage, OpenLayout, TEXT_LINK } from "./open-layout.tsx";
import { isDeadToken } from "./queries.ts";

/** Nothing happens before a click: programs that check mails open their links. */
export function UndoEmailPage() {
  const token = useLinkToken();
  const undo = useMutation({
    mutationFn: () => call("POST", "/api/auth/email/undo", { body: { token } }),
    onSuccess: () => {
      forgetLinkToken();
      forgetSession();
    },
  });
  const { undoEmail } = texts.signIn;
  if (undo.isSuccess && token === null) return <OpenLayout title={undoEmail.done} lead={undoEmail.doneText} />;
  if (token === null) return <DeadLinkPage missing />;
  if (isDeadToken(undo.error)) return <DeadLinkPage />;
  return (
    <LiveLink token={token} purpose="undo_email" title={undoEmail.title}>
      <OpenLayout
        title={undoEmail.title}
        lead={undoEmail.lead}
        footer={
          <Link to="/links" className={TEXT_LINK}>
            {undoEmail.leave}
          </Link>
        }
      >
        {undo.isError && <ErrorNotice error={undo.error} />}
        <Button kind="primary" busy={undo.isPending} onClick={() => undo.mutate()}>
          {undoEmail.action}
        </Button>
      </OpenLayout>
    </LiveLink>
  );
}
