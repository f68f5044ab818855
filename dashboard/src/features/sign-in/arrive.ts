import { useRouter, useSearch } from "@tanstack/react-router";
import { ApiError, call } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import type { ClaimedLinks } from "../../api/types.ts";
import { forgetSession } from "../../session.ts";
import { texts } from "../../texts/index.ts";
import { explainError } from "../../ui/notice.tsx";
import { showToast } from "../../ui/toast.tsx";
import { toNextPath } from "./next-path.ts";

/** The page that the person wanted to see, for a link to another page of these. */
export function useNext(): { next?: string } {
  const { next } = useSearch({ strict: false });
  return typeof next === "string" ? { next } : {};
}

/** Returns what opens the dashboard for a person who has just signed in, at `path` or where `?next=` says. */
export function useArrive(): (path?: string) => void {
  const router = useRouter();
  const { next } = useNext();
  return (path) => {
    // Somebody else may have been signed in before.
    forgetSession();
    void claimLinks();
    router.history.push(toNextPath(path ?? next));
  };
}

/** Moves the links into the account that this browser shortened without one. */
async function claimLinks(): Promise<void> {
  try {
    const { links } = await call<{ links: ClaimedLinks }>("POST", "/api/account/claims");
    if (links.length === 0) return;
    showToast({ title: texts.signIn.claimed(links.length), text: texts.signIn.claimedText(links.length) });
    await queryClient.invalidateQueries({ queryKey: ["links"] });
  } catch (error) {
    // Other errors are of no interest now: the links can be claimed at the next sign-in.
    if (error instanceof ApiError && error.code === "quota_exceeded")
      showToast({ kind: "problem", title: texts.signIn.claimRefused, text: explainError(error) });
  }
}
