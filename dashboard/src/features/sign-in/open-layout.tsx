import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Brand } from "../../ui/brand.tsx";
import { OfflineBanner } from "../../ui/offline-banner.tsx";
import { texts } from "../../texts/index.ts";
import { Notice } from "../../ui/notice.tsx";

/** The frame of the pages for people who may not be signed in: the brand and one column. */
export function OpenLayout({
  title,
  lead,
  footer,
  children,
}: {
  title: string;
  lead?: ReactNode;
  /** Below the card, such as the way to another page. */
  footer?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <div className="flex min-h-dvh flex-col">
      <title>{`${title} · Tern`}</title>
      <OfflineBanner />
      <header className="flex justify-center px-4 pt-8 pb-6 sm:pt-[9vh]">
        <a href="/" className="rounded-control px-2 py-1">
          <Brand />
        </a>
      </header>
      <main className="mx-auto w-full max-w-[26rem] flex-1 px-4 pb-10">
        <div className="rounded-card border border-line bg-surface p-6 shadow-card sm:p-8">
          <h1 className="text-2xl leading-tight font-bold tracking-tight">{title}</h1>
          {lead !== undefined && <p className="mt-1.5 break-words text-soft">{lead}</p>}
          {children !== undefined && <div className="mt-6 grid gap-4">{children}</div>}
        </div>
        {footer !== undefined && <p className="mt-5 text-center text-soft">{footer}</p>}
      </main>
    </div>
  );
}

/** A link within a text. */
export const TEXT_LINK =
  "rounded-sm font-semibold text-accent underline decoration-accent/40 underline-offset-3 hover:decoration-accent";

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
