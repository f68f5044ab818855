import { useQuery } from "@tanstack/react-query";
import { Link, useRouterState } from "@tanstack/react-router";
import { ShieldCheck } from "lucide-react";
import { useCallback, useEffect, useRef, useState } from "react";
import { factorsQuery } from "../api/resources.ts";
import { useSession } from "../session.ts";
import { texts } from "../texts/index.ts";
import { Button } from "../ui/button.tsx";
import { EmptyState } from "../ui/layout.tsx";
import { PageTitle } from "../ui/page-title.tsx";
import { useSwitchAccount } from "./use-switch-account.ts";

interface FactorNeeded {
  /** What the account needs before it can be used; null: nothing. The settings stay open, to add a factor. */
  step: "add" | "confirm" | null;
  /** Tells that the account was refused for want of a factor. */
  refuse: () => void;
  /** Tells that a factor was given in this session. */
  forget: () => void;
}

export function useFactorNeeded(accountId: string): FactorNeeded {
  const [refused, setRefused] = useState<string | null>(null);
  const isRefused = refused === accountId;
  const { data: factors } = useQuery({ ...factorsQuery, enabled: isRefused });
  const isInSettings = useRouterState({ select: ({ location }) => location.pathname.startsWith("/settings") });
  const hasFactor = factors !== undefined && (factors.totp || factors.passkeys.length > 0);
  const refuse = useCallback(() => setRefused(accountId), [accountId]);
  const forget = useCallback(() => setRefused(null), []);
  const lacked = useRef(false);
  useEffect(() => {
    // A session counts as having given the factor that is added in it.
    if (lacked.current && hasFactor) forget();
    lacked.current = factors !== undefined && !hasFactor;
  }, [factors, hasFactor, forget]);
  const step = hasFactor ? "confirm" : "add";
  return { step: isRefused && !isInSettings ? step : null, refuse, forget };
}

/** Stands for the pages of a team that requires a second factor which was not given in this session. */
export function FactorNeededPage({ step, onConfirm }: { step: "add" | "confirm"; onConfirm: () => void }) {
  const { account, accounts } = useSession();
  const switchAccount = useSwitchAccount();
  const { title, add, confirm, personal } = texts.shell.factorNeeded;
  const own = accounts.find(({ kind }) => kind === "personal");
  return (
    <div className="mx-auto max-w-2xl pt-10">
      <PageTitle>{title(account.name)}</PageTitle>
      <EmptyState
        icon={<ShieldCheck aria-hidden />}
        title={title(account.name)}
        heading="h1"
        action={
          <div className="flex flex-wrap justify-center gap-2">
            {step === "confirm" ? (
              <Button kind="primary" onClick={onConfirm}>
                {confirm.action}
              </Button>
            ) : (
              <Button kind="primary" asChild>
                <Link to="/settings/$section" params={{ section: "security" }}>
                  {add.action}
                </Link>
              </Button>
            )}
            {own !== undefined && <Button onClick={() => void switchAccount(own.id)}>{personal}</Button>}
          </div>
        }
        text={step === "confirm" ? confirm.text : add.text}
      />
    </div>
  );
}
