import { useParams, Link as RouterLink } from "@tanstack/react-router";
import { Link2Off } from "lucide-react";
import { Suspense, useState } from "react";
import { lazyPart } from "../../lib/lazy-part.ts";
import { ApiError } from "../../api/client.ts";
import type { Link } from "../../api/types.ts";
import { formatRelative } from "../../lib/format.ts";
import { texts } from "../../texts/index.ts";
import { BackButton } from "../../ui/back-button.tsx";
import { Button } from "../../ui/button.tsx";
import { LazyDialogs } from "../../ui/lazy-dialogs.tsx";
import { EmptyState, Section, Skeleton } from "../../ui/layout.tsx";
import { ErrorNotice, Notice } from "../../ui/notice.tsx";
import { PageTitle } from "../../ui/page-title.tsx";
import { LinkHeader, type Opened } from "./details/link-header.tsx";
import { VerdictNotice } from "./details/verdict-notice.tsx";
import { SettingsList } from "./details/settings-list.tsx";
import { useLink } from "./queries.ts";

const AnalyticsView = lazyPart(() =>
  import("../analytics/analytics-view.tsx").then(({ AnalyticsView }) => AnalyticsView),
);
const LinkEditor = lazyPart(() => import("./link-editor.tsx").then(({ LinkEditor }) => LinkEditor));
const QrDialog = lazyPart(() => import("./qr-dialog.tsx").then(({ QrDialog }) => QrDialog));

const words = texts.linkDetails;

/** One link: its settings and its clicks. */
export function LinkPage() {
  const { linkId } = useParams({ from: "/app/links/$linkId" });
  const { data: link, error, refetch } = useLink(linkId, undefined);
  return (
    <div className="mx-auto w-full max-w-7xl px-4 pt-4 pb-24 md:px-8 md:pb-12">
      <BackButton>
        <RouterLink to="/links">{words.back}</RouterLink>
      </BackButton>
      {link !== undefined && <LinkDetails key={link.id} link={link} />}
      {link === undefined && error === null && <LinkSkeleton />}
      {link === undefined &&
        error !== null &&
        (isMissing(error) ? <NoLink /> : <ErrorNotice error={error} onRetry={() => void refetch()} />)}
    </div>
  );
}

function LinkDetails({ link }: { link: Link }) {
  const [opened, setOpened] = useState<Opened | null>(null);
  const close = () => setOpened(null);
  return (
    <>
      <LinkHeader link={link} onOpen={setOpened} />
      <VerdictNotice link={link} />
      <BrokenNotice destination={link.destination} />
      {link.passwordAttackedAt !== null && (
        <Notice kind="warn" className="mb-6" title={words.attacked(formatRelative(link.passwordAttackedAt))} />
      )}
      <Section title={words.settings}>
        <SettingsList link={link} />
      </Section>
      <h2 className="mb-3 text-lg font-bold">{words.analytics}</h2>
      <Suspense fallback={<Skeleton className="h-64" />}>
        <AnalyticsView source={{ kind: "link", link }} />
      </Suspense>
      <LazyDialogs onFail={close}>
        {opened === "qr" && <QrDialog link={link} onClose={close} />}
        {(opened === "edit" || opened === "duplicate") && (
          <LinkEditor target={{ kind: opened, link }} onClose={close} />
        )}
      </LazyDialogs>
    </>
  );
}

function BrokenNotice({ destination }: { destination: Link["destination"] }) {
  if (destination === null || destination.brokenSince === null) return null;
  const title = words.broken(formatRelative(destination.brokenSince), destination.status);
  return <Notice kind="warn" className="mb-6" title={title} />;
}

function LinkSkeleton() {
  return (
    <div role="status" aria-label={texts.ui.loading}>
      <Skeleton className="mb-3 h-8 w-64" />
      <Skeleton className="mb-6 h-5 w-96 max-w-full" />
      <Skeleton className="mb-6 h-40 rounded-card" />
      <Skeleton className="h-64 rounded-card" />
    </div>
  );
}

/** Also the answer to an address that is no id. */
function isMissing(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 403 || error.status === 400);
}

function NoLink() {
  const { title, text, action } = words.notFound;
  return (
    <>
      <PageTitle>{title}</PageTitle>
      <h1 className="sr-only">{texts.shell.pages.links}</h1>
      <EmptyState
        icon={<Link2Off aria-hidden />}
        title={title}
        action={
          <Button kind="primary" asChild>
            <RouterLink to="/links">{action}</RouterLink>
          </Button>
        }
        text={text}
      />
    </>
  );
}
