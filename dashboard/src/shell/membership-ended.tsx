import { UserMinus } from "lucide-react";
import { useCallback, useState } from "react";
import { call } from "../api/client.ts";
import type { AccountOfUser, SessionResponse } from "../api/types.ts";
import { forgetAccount, useSession } from "../session.ts";
import { texts } from "../texts/index.ts";
import { Button } from "../ui/button.tsx";
import { EmptyState } from "../ui/layout.tsx";
import { PageTitle } from "../ui/page-title.tsx";
import { useSwitchAccount } from "./use-switch-account.ts";

/** Whether the person is no member of the account any more, and what looks after it once a request was refused. */
export function useMembershipEnded({ id }: AccountOfUser): [boolean, () => void] {
  const [ended, setEnded] = useState<string | null>(null);
  const check = useCallback(() => void isFormerAccount(id).then((isFormer) => isFormer && setEnded(id)), [id]);
  return [ended === id, check];
}

/** Asks the service. What the page shows of the session stays: without the account, it would go on with another one. */
async function isFormerAccount(id: string): Promise<boolean> {
  // If this fails too, the refused request tells what is wrong.
  const session = await call<SessionResponse>("GET", "/api/auth/session").catch(() => null);
  return session?.accounts.every((account) => account.id !== id) ?? false;
}

/** Stands for the pages of a team from which the person was removed. */
export function MembershipEndedPage() {
  const { account, accounts } = useSession();
  const switchAccount = useSwitchAccount();
  const { title, text } = texts.shell.membershipEnded;
  const own = accounts.find(({ kind }) => kind === "personal");
  const leave = async (id: string) => {
    await switchAccount(id);
    forgetAccount(account.id);
  };
  return (
    <div className="mx-auto max-w-2xl pt-10">
      <PageTitle>{title(account.name)}</PageTitle>
      <EmptyState
        icon={<UserMinus aria-hidden />}
        title={title(account.name)}
        heading="h1"
        action={
          own !== undefined && (
            <Button kind="primary" onClick={() => void leave(own.id)}>
              {texts.shell.factorNeeded.personal}
            </Button>
          )
        }
        text={text}
      />
    </div>
  );
}
