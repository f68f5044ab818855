import { UserMinus } from "lucide-react";
import { useCallback, useState } from "react";
import { call } from "../api/client.ts";
import { queryClient } from "../api/query-client.ts";
import type { AccountOfUser, SessionResponse } from "../api/types.ts";
import { useSession } from "../session.ts";
import { texts } from "../texts/index.ts";
import { Button } from "../ui/button.tsx";
import { EmptyState } from "../ui/layout.tsx";
import { useSwitchAccount } from "./use-switch-account.ts";

/** Whether the person is no member of the account any more, and what looks after it once a request was refused. */
export function useMembershipEnded({ id }: AccountOfUser): [boolean, () => void] {
  const [ended, setEnded] = useState<string | null>(null);
  const check = useCallback(() => {
    // What the page shows of the session stays: without the account, the page would go on with another one.
    call<SessionResponse>("GET", "/api/auth/session").then(
      ({ accounts }) => {
        if (accounts.every((account) => account.id !== id)) setEnded(id);
      },
      // The refused request tells what is wrong.
      () => undefined,
    );
  }, [id]);
  return [ended === id, check];
}

/** Stands for the pages of a team from which the person was removed. */
export function MembershipEndedPage() {
  const { account, accounts } = useSession();
  const switchAccount = useSwitchAccount();
  const { title, text } = texts.shell.membershipEnded;
  const own = accounts.find(({ kind }) => kind === "personal");
  const leave = async (id: string) => {
    await switchAccount(id);
    await queryClient.invalidateQueries({ queryKey: ["session"] });
  };
  return (
    <div className="mx-auto max-w-2xl pt-10">
      <title>{`${title(account.name)} · Tern`}</title>
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
      >
        {text}
      </EmptyState>
    </div>
  );
}
