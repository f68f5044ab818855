import { useNavigate } from "@tanstack/react-router";
import { call } from "../api/client.ts";
import { forgetSession, tellOtherTabs } from "../session.ts";
import { texts } from "../texts/index.ts";
import { explainError } from "../ui/notice.tsx";
import { showToast } from "../ui/toast.tsx";

/**
 * Returns what ends the session and goes to the page for signing in, and from there to `next`. `keep` stores again what the
 * browser must not forget: the response empties its storage.
 */
export function useSignOut(next?: string, keep?: () => void): () => void {
  const navigate = useNavigate();
  const leave = async () => {
    try {
      await call("POST", "/api/auth/sign-out");
    } catch (error) {
      showToast({
        kind: "problem",
        title: texts.shell.stillSignedIn,
        text: explainError(error),
        action: { label: texts.ui.retry, run: () => void leave() },
      });
      return;
    }
    keep?.();
    tellOtherTabs(null);
    await navigate({ to: "/sign-in", search: next === undefined ? {} : { next } });
    forgetSession();
  };
  return () => void leave();
}
