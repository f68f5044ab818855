import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Role } from "#src/platform/auth/roles.ts";
import { texts } from "../../texts/index.ts";
import { BackButton } from "../../ui/back-button.tsx";
import { Button } from "../../ui/button.tsx";
import { Skeleton } from "../../ui/layout.tsx";
import { ErrorNotice, Notice } from "../../ui/notice.tsx";
import { PageTitle } from "../../ui/page-title.tsx";
import type { Listed } from "./queries.ts";

/** The heading of a section, with its actions. */
export function SettingsHeader({
  title,
  lead,
  actions,
  badge,
}: {
  title: string;
  lead?: ReactNode;
  actions?: ReactNode;
  badge?: ReactNode;
}) {
  return (
    <header className="mb-5 flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
      <PageTitle>{title}</PageTitle>
      <div className="min-w-0 flex-1 basis-72">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h1
            dir="auto"
            className="min-w-0 text-as-parent text-2xl leading-tight font-bold tracking-tight wrap-anywhere"
          >
            {title}
          </h1>
          {badge}
        </div>
        {lead !== undefined && <p className="mt-1 max-w-prose text-soft">{lead}</p>}
      </div>
      {actions !== undefined && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
    </header>
  );
}

/** Leads from one thing to the list of its section. */
export function BackLink({ section }: { section: "webhooks" | "domains" | "keys" }) {
  return (
    <BackButton>
      <Link to="/settings/$section" params={{ section }}>
        {texts.settings.back(texts.settings.sections[section])}
      </Link>
    </BackButton>
  );
}

/** Says which roles may change what is shown. */
export function OnlyRoles({ roles }: { roles: readonly Role[] }) {
  const names = roles.map((role) => texts.settings.roles[role]).join(texts.settings.or);
  return <Notice className="mb-5">{texts.settings.onlyRoles(names)}</Notice>;
}

/** The items of a list, what stands for them until they are there, and the button for more. */
export function ListOf<Item>({
  list,
  empty,
  children,
}: {
  list: Listed<Item>;
  empty: ReactNode;
  children: (items: Item[]) => ReactNode;
}) {
  if (list.items === undefined)
    return list.error === null ? <RowSkeletons /> : <ErrorNotice error={list.error} onRetry={list.retry} />;
  if (list.items.length === 0) return <>{empty}</>;
  return (
    <>
      {children(list.items)}
      {list.error !== null && <ErrorNotice className="mt-4" error={list.error} onRetry={list.retry} />}
      {list.hasMore && (
        <div className="mt-4 flex justify-center">
          <Button busy={list.isLoadingMore} onClick={list.loadMore}>
            {texts.settings.more}
          </Button>
        </div>
      )}
    </>
  );
}

function RowSkeletons() {
  return (
    <div role="status" aria-label={texts.ui.loading}>
      {[0, 1, 2].map((row) => (
        <Skeleton key={row} className="mb-3 h-18" />
      ))}
    </div>
  );
}
