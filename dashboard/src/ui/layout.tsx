import type { ReactNode } from "react";
import { cx } from "../lib/class-names.ts";
import { PageTitle } from "./page-title.tsx";

/** The content of a page of the dashboard, with its heading and the actions beside it. */
export function Page({
  title,
  lead,
  actions,
  wide = false,
  children,
}: {
  title: string;
  lead?: ReactNode;
  actions?: ReactNode;
  wide?: boolean;
  children: ReactNode;
}) {
  return (
    <div className="mx-auto w-full max-w-[100rem] px-4 pt-6 pb-24 md:px-8 md:pb-12">
      <PageTitle>{title}</PageTitle>
      <header className="mb-5 flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <div className="min-w-0">
          <h1 className="text-2xl leading-tight font-bold tracking-tight">{title}</h1>
          {lead !== undefined && <p className="mt-1 text-soft">{lead}</p>}
        </div>
        {actions !== undefined && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </header>
      {wide ? children : <div className="max-w-5xl">{children}</div>}
    </div>
  );
}

export function Card({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <section className={cx("rounded-card border border-line bg-surface shadow-card", className)}>{children}</section>
  );
}

/** A card with a heading, for a group of settings. */
export function Section({
  title,
  lead,
  actions,
  children,
  className,
}: {
  title: ReactNode;
  lead?: ReactNode;
  actions?: ReactNode;
  children?: ReactNode;
  className?: string;
}) {
  return (
    <Card className={cx("mb-6 p-5", className)}>
      <header className="mb-4 flex flex-wrap items-start justify-between gap-3 last:mb-0">
        <div className="min-w-0 flex-1 basis-60">
          <h2 className="text-base font-bold">{title}</h2>
          {lead !== undefined && <p className="mt-0.5 max-w-prose text-soft">{lead}</p>}
        </div>
        {actions}
      </header>
      {children}
    </Card>
  );
}

/** Shown where a list has nothing yet: what it is for, and one button. */
export function EmptyState({
  icon,
  title,
  heading: Heading = "h2",
  text,
  action,
}: {
  icon: ReactNode;
  title: string;
  /** `h1` where it stands for the whole page. */
  heading?: "h1" | "h2";
  text: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="flex flex-col items-center px-6 py-14 text-center">
      <div className="mb-4 flex size-14 items-center justify-center rounded-full bg-wash text-accent">{icon}</div>
      <Heading className="text-lg font-bold">{title}</Heading>
      <p className="mt-1 mb-5 max-w-md text-balance text-soft">{text}</p>
      {action}
    </div>
  );
}

/** Stands for a part of the page that is loading, in its size. */
export function Skeleton({ className }: { className?: string }) {
  return <div className={cx("animate-pulse-soft rounded-control bg-sunken", className)} />;
}

const BADGES = {
  neutral: "bg-sunken text-soft",
  accent: "bg-wash text-accent-strong",
  good: "bg-good-wash text-good",
  warn: "bg-warn-wash text-warn",
  bad: "bg-bad-wash text-bad",
} as const;

export function Badge({ kind = "neutral", children }: { kind?: keyof typeof BADGES; children: ReactNode }) {
  return (
    <span
      className={cx(
        "inline-flex items-center gap-1 rounded-full px-2 py-0.5 text-xs font-semibold whitespace-nowrap",
        BADGES[kind],
      )}
    >
      {children}
    </span>
  );
}
