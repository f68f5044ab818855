import { texts } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useLocalMail } from "./queries.ts";

/** On a developer's machine, which sends no mails: the link that the mail would have. */
export function LocalMail({ email, since }: { email: string; since: number }) {
  const mail = useLocalMail(email, since);
  if (mail === undefined) return null;
  const { title, text, action } = texts.signIn.outbox;
  return (
    <Notice kind="good" title={title}>
      <p className="break-words">{text(mail.subject)}</p>
      {mail.link !== null && (
        <Button size="small" className="mt-3" asChild>
          <a href={pathOf(mail.link)}>{action}</a>
        </Button>
      )}
    </Notice>
  );
}

function pathOf(link: string): string {
  const { pathname, hash } = new URL(link);
  return pathname + hash;
}
