import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { call } from "../../api/client.ts";
import { forgetSession } from "../../session.ts";
import { texts } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorNotice } from "../../ui/notice.tsx";
import { showToast } from "../../ui/toast.tsx";
import { OpenLayout } from "../../ui/open-layout.tsx";

/** A person who is deleted can do nothing but come back. */
export function RestoreAccountPage() {
  const navigate = useNavigate();
  const { restore } = texts.signIn;
  const restoration = useMutation({
    mutationFn: () => call("POST", "/api/account/restore"),
    onSuccess: async () => {
      forgetSession();
      showToast({ title: restore.done });
      await navigate({ to: "/links" });
    },
  });
  const signOut = useMutation({
    mutationFn: () => call("POST", "/api/auth/sign-out"),
    onSuccess: async () => {
      forgetSession();
      await navigate({ to: "/sign-in" });
    },
  });
  const error = restoration.error ?? signOut.error;
  return (
    <OpenLayout title={restore.title} lead={restore.lead}>
      {error !== null && <ErrorNotice error={error} />}
      <Button kind="primary" busy={restoration.isPending} onClick={() => restoration.mutate()}>
        {restore.action}
      </Button>
      <Button busy={signOut.isPending} onClick={() => signOut.mutate()}>
        {restore.leave}
      </Button>
    </OpenLayout>
  );
}
