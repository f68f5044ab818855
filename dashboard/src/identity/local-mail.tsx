import { useQuery } from "@tanstack/react-query";
import { call } from "../api/client.ts";
import type { MailPage } from "../api/types.ts";
import { texts } from "../texts/index.ts";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";

const IS_LOCAL = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
const OUTBOX_POLL_MS = 1_500;

/** On a developer's machine, the newest mail to the address since a time. Undefined while there is none, and elsewhere. */
function useLocalMail(email: string, since: number): MailPage["mails"][number] | undefined {
  const { data } = useQuery({
    queryKey: ["outbox", email, since],
    queryFn: async ({ signal }) => {
      const { mails } = await call<MailPage>("GET", "/api/auth/outbox", { signal });
      return mails.find(({ to, createdAt }) => to.toLowerCase() === email.toLowerCase() && createdAt >= since) ?? null;
    },
    enabled: IS_LOCAL,
    retry: false,
    refetchInterval: ({ state }) => (state.status === "error" || state.data ? false : OUTBOX_POLL_MS),
  });
  return data ?? undefined;
}

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
