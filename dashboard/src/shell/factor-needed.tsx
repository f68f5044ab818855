import { useQuery } from "@tanstack/react-query";
import { Link, useRouterState } from "@tanstack/react-router";
import { ShieldCheck } from "lucide-react";
import { useCallback, useState } from "react";
import { factorsQuery } from "../api/resources.ts";
import { useSession } from "../session.ts";
import { texts } from "../texts/index.ts";
import { Button } from "../ui/button.tsx";
import { EmptyState } from "../ui/layout.tsx";
import { useSwitchAccount } from "./use-switch-account.ts";

/** Whether the account cannot be used without a second factor, and what tells so. The settings stay open, to add one. */
export function useFactorNeeded(accountId: string): [boolean, () => void] {
  const [refused, setRefused] = useState<string | null>(null);
  const isRefused = refused === accountId;
  const { data: factors } = useQuery({ ...factorsQuery, enabled: isRefused });
  const isInSettings = useRouterState({ select: ({ location }) => location.pathname.startsWith("/settings") });
  const lacksFactor = factors === undefined || (!factors.totp && factors.passkeys.length === 0);
  const setFactorNeeded = useCallback(() => setRefused(accountId), [accountId]);
  return [isRefused && lacksFactor && !isInSettings, setFactorNeeded];
}

/** Stands for the pages of a team that requires a second factor of a member who has none. */
export function FactorNeededPage() {
  const { account, accounts } = useSession();
  const switchAccount = useSwitchAccount();
  const { title, text, action, personal } = texts.shell.factorNeeded;
  const own = accounts.find(({ kind }) => kind === "personal");
  return (
    <div className="mx-auto max-w-2xl pt-10">
      <title>{`${title(account.name)} · Tern`}</title>
      <EmptyState
        icon={<ShieldCheck aria-hidden />}
        title={title(account.name)}
        heading="h1"
        action={
          <div className="flex flex-wrap justify-center gap-2">
            <Button kind="primary" asChild>
              <Link to="/settings/$section" params={{ section: "security" }}>
                {action}
              </Link>
            </Button>
            {own !== undefined && <Button onClick={() => void switchAccount(own.id)}>{personal}</Button>}
          </div>
        }
      >
        {text}
      </EmptyState>
    </div>
  );
}
