import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { texts } from "../../texts/index.ts";
import { Notice } from "../../ui/notice.tsx";
import { OpenLayout, TEXT_LINK } from "../../ui/open-layout.tsx";

export function Divider({ children }: { children: ReactNode }) {
  return (
    <p className="flex items-center gap-3 text-sm text-soft before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
      {children}
    </p>
  );
}

/** For a page that was opened without the token of a mail, or with one that no longer works. */
export function DeadLinkPage({ missing = false, children }: { missing?: boolean; children?: ReactNode }) {
  const { title, text } = missing ? texts.signIn.missingToken : texts.signIn.deadLink;
  return (
    <OpenLayout
      title={title}
      lead={text}
      footer={
        <Link to="/sign-in" className={TEXT_LINK}>
          {texts.signIn.forgot.back}
        </Link>
      }
    >
      {children}
    </OpenLayout>
  );
}

export function PendingNotice({ children }: { children: ReactNode }) {
  return <Notice className="animate-pulse-soft">{children}</Notice>;
}
