import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { call } from "../../api/client.ts";
import { texts } from "../../texts/index.ts";
import { OpenLayout } from "../../ui/open-layout.tsx";
import { DeadLinkPage, PendingNotice } from "./page-parts.tsx";

interface LiveLinkProps {
  token: string;
  purpose: "reset_password" | "confirm_email" | "undo_email" | "undo_factor";
  title: string;
  /** In place of the page, if the link no longer works. */
  dead?: ReactNode;
  children: ReactNode;
}

/** The page of a mail's link, if the link still works. So nobody fills in a form for a dead one. */
export function LiveLink({ token, purpose, title, dead, children }: LiveLinkProps) {
  const { data, isPending } = useQuery({
    queryKey: ["mail-token", purpose, token],
    queryFn: ({ signal }) =>
      call<{ valid: boolean }>("POST", "/api/auth/tokens/check", { body: { token, purpose }, signal }),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    networkMode: "always",
  });
  if (isPending)
    return (
      <OpenLayout title={title}>
        <PendingNotice>{texts.signIn.checkingLink}</PendingNotice>
      </OpenLayout>
    );
  // Without an answer, the call that uses the token decides.
  return data?.valid === false ? (dead ?? <DeadLinkPage />) : children;
}
