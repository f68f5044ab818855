import type { ReactNode } from "react";
import { cx } from "../lib/class-names.ts";
import { Brand } from "./brand.tsx";
import { LanguageBar } from "./language-bar.tsx";
import { OfflineBanner } from "./offline-banner.tsx";
import { PageTitle } from "./page-title.tsx";

/** The frame of the pages for people who may not be signed in: the brand and one column. */
export function OpenLayout({
  title,
  heading = title,
  lead,
  footer,
  wide = false,
  children,
}: {
  title: string;
  /** The title as the page shows it. */
  heading?: ReactNode;
  lead?: ReactNode;
  /** Below the card, such as the way to another page. */
  footer?: ReactNode;
  /** For more than a form. */
  wide?: boolean;
  children?: ReactNode;
}) {
  return (
    <div className="flex min-h-dvh flex-col">
      <PageTitle>{title}</PageTitle>
      <OfflineBanner />
      <header className={cx("flex justify-center px-4 pt-8 pb-6", !wide && "sm:pt-[9vh]")}>
        <a href="/" className="rounded-control px-2 py-1">
          <Brand />
        </a>
      </header>
      <main className={cx("mx-auto w-full flex-1 px-4 pb-10", wide ? "max-w-[34rem]" : "max-w-[26rem]")}>
        <div className="rounded-card border border-line bg-surface p-6 shadow-card sm:p-8">
          <h1 className="text-2xl leading-tight font-bold tracking-tight [overflow-wrap:anywhere]">{heading}</h1>
          {lead !== undefined && <p className="mt-1.5 break-words text-soft">{lead}</p>}
          {children !== undefined && <div className="mt-6 grid gap-4">{children}</div>}
        </div>
        {footer !== undefined && <p className="mt-5 text-center text-soft">{footer}</p>}
      </main>
      <LanguageBar />
    </div>
  );
}

/** A link within a text. */
export const TEXT_LINK =
  "rounded-sm font-semibold text-accent underline decoration-accent/40 underline-offset-3 hover:decoration-accent";
