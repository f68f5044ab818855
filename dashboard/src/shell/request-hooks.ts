import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { setHooks } from "../api/client.ts";
import { describeEnd, forgetSession } from "../session.ts";

/**
 * Does what requests need that cannot go on. Returns whether the person has to confirm the identity, and what tells the
 * requests that wait for it whether the person did.
 */
export function useRequestHooks(
  onFactorNeeded: () => void,
  onForbidden: () => void,
): [boolean, (confirmed: boolean) => void] {
  const navigate = useNavigate();
  const [settle, setSettle] = useState<((confirmed: boolean) => void) | null>(null);
  useEffect(() => {
    let hasEnded = false;
    let confirmation: Promise<boolean> | null = null;
    return setHooks({
      // Requests that need it at the same time wait for the same answer.
      confirmIdentity: () => {
        confirmation ??= new Promise<boolean>((resolve) => setSettle(() => resolve)).finally(() => {
          confirmation = null;
          setSettle(null);
        });
        return confirmation;
      },
      // Several requests of a page notice it; only the first one still has the address of the page.
      signedOut: () => {
        if (hasEnded) return;
        hasEnded = true;
        const search = { next: location.pathname + location.search };
        void navigate({ to: "/sign-in", search, state: { endedSession: describeEnd() } }).then(forgetSession);
      },
      factorNeeded: onFactorNeeded,
      forbidden: onForbidden,
    });
  }, [navigate, onFactorNeeded, onForbidden]);
  return [settle !== null, (confirmed) => settle?.(confirmed)];
}
