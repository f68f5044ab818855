import { useNavigate } from "@tanstack/react-router";
import { signOut } from "../session.ts";
import { texts } from "../texts/index.ts";
import { explainError } from "../ui/notice.tsx";
import { showToast } from "../ui/toast.tsx";

/** Returns what ends the session and goes to the page for signing in. */
export function useSignOut(): () => void {
  const navigate = useNavigate();
  const leave = async () => {
    try {
      await signOut();
    } catch (error) {
      showToast({
        kind: "problem",
        title: texts.shell.stillSignedIn,
        text: explainError(error),
        action: { label: texts.ui.retry, run: () => void leave() },
      });
      return;
    }
    await navigate({ to: "/sign-in" });
  };
  return () => void leave();
}
