import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { Domain } from "#src/domains/contract.ts";
import { call, ApiError } from "#dashboard/api/client.ts";
import { texts } from "#dashboard/texts/index.ts";
import { showChange } from "#dashboard/ui/change-toast.ts";
import { showDomain } from "./queries.ts";

/** The time between two checks: 4 a minute, below the limit of the spec (8.1). */
export const CHECK_INTERVAL_SECONDS = 15;
const INTERVAL_MS = CHECK_INTERVAL_SECONDS * 1_000;
/** Half an hour of checks. */
const MAX_CHECKS = 120;

/** What the DNS has at the names of the records. */
type Seen = Record<"TXT" | "CNAME", string[]>;

export interface DomainCheck {
  /** Checks at once, and then again and again until the domain is complete. */
  start: () => void;
  isChecking: boolean;
  /** Whether another check follows by itself. */
  isWatching: boolean;
  /** Unix milliseconds; null before the first check. */
  checkedAt: number | null;
  /** Undefined before the first check of this page. */
  seen: Seen | undefined;
  error: Error | null;
}

/** Checks the DNS records of a domain while the page is open, once the person has asked for it. */
export function useDomainCheck(domain: Domain): DomainCheck {
  const [checksLeft, setChecksLeft] = useState(0);
  const check = useMutation({
    mutationFn: async () => {
      const result = await call<{ domain: Domain; seen: Seen }>("POST", `/api/domains/${domain.id}/verify`);
      return { ...result, checkedAt: Date.now() };
    },
    onSuccess: (result) => {
      if (domain.status === "pending" && result.domain.status === "verified")
        showChange(texts.domains.check.verified(domain.unicodeDomain));
      showDomain(result.domain);
      if (isComplete(result.domain)) setChecksLeft(0);
    },
    // A failed lookup and a limit pass by themselves.
    onError: (error) => {
      if (!(error instanceof ApiError) || ![0, 429, 503].includes(error.status)) setChecksLeft(0);
    },
  });
  const { mutate, isPending } = check;
  useEffect(() => {
    if (checksLeft === 0 || isPending) return undefined;
    const timer = setTimeout(() => {
      setChecksLeft(checksLeft - 1);
      mutate();
    }, INTERVAL_MS);
    return () => clearTimeout(timer);
  }, [checksLeft, isPending, mutate]);
  return {
    start: () => {
      setChecksLeft(MAX_CHECKS);
      mutate();
    },
    isChecking: isPending,
    isWatching: checksLeft > 0,
    checkedAt: check.data?.checkedAt ?? null,
    seen: check.data?.seen,
    error: check.error,
  };
}

function isComplete({ records }: Domain): boolean {
  return records.every(({ found }) => found === true);
}
