import { useNavigate } from "@tanstack/react-router";
import { call } from "../api/client.ts";
import { forgetSession, tellOtherTabs } from "../session.ts";
import { texts } from "../texts/index.ts";
import { explainError } from "../ui/notice.tsx";
import { showToast } from "../ui/toast.tsx";

/** Returns what ends the session and goes to the page for signing in. */
export function useSignOut(): () => void {
  const navigate = useNavigate();
  const leave = async () => {
    try {
      // The response empties the storage of this browser.
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
    tellOtherTabs(null);
    await navigate({ to: "/sign-in" });
    forgetSession();
  };
  return () => void leave();
}
