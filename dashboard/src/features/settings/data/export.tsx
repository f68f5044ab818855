import { useMutation, useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { ApiError, call, withReason } from "#dashboard/api/client.ts";
import { queryClient } from "#dashboard/api/query-client.ts";
import type { AccountExport } from "#dashboard/api/types.ts";
import { formatCount, formatMegabytes, formatMoment } from "#dashboard/lib/format.ts";
import { store, useStored } from "#dashboard/lib/storage.ts";
import { useSession } from "#dashboard/session.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Button } from "#dashboard/ui/button.tsx";
import { DownloadLink } from "#dashboard/ui/download-link.tsx";
import { Section, Skeleton } from "#dashboard/ui/layout.tsx";
import { ErrorNotice, Notice } from "#dashboard/ui/notice.tsx";

const { exports: page } = texts.person;

/** How often the progress of a running export is read. */
const POLL_MS = 2_000;

export function ExportSection() {
  const { account } = useSession();
  // The API lists no exports of accounts, so the browser knows its last one.
  const name = `export ${account.id}`;
  const id = useStored(name);
  const current = useExport(id);
  const start = useMutation({
    mutationFn: () => call<{ export: AccountExport }>("POST", "/api/account/exports"),
    onSuccess: (started) => {
      queryClient.setQueryData(["account-exports", started.export.id], started.export);
      store(name, started.export.id);
    },
  });
  const isGone = current.error instanceof ApiError && current.error.status === 404;
  const shown = isGone ? undefined : current.data;
  const isRunning = shown?.status === "pending" || shown?.status === "running";
  return (
    <Section
      title={page.title}
      lead={page.lead(account.name)}
      actions={
        !isRunning && (
          <Button busy={start.isPending} onClick={() => start.mutate()}>
            {shown === undefined ? page.start : page.again}
          </Button>
        )
      }
    >
      {start.isError && <ErrorNotice className="mb-3" error={start.error} />}
      {id !== null && current.isPending && <Skeleton className="mb-3 h-16" />}
      {current.isError && !isGone && (
        <ErrorNotice className="mb-3" error={current.error} onRetry={() => void current.refetch()} />
      )}
      {shown !== undefined && <ExportState shown={shown} />}
      <p className="text-sm text-soft">{page.limits}</p>
    </Section>
  );
}

function useExport(id: string | null) {
  return useQuery({
    queryKey: ["account-exports", id],
    queryFn: async ({ signal }) => {
      const body = await call<{ export: AccountExport }>("GET", `/api/account/exports/${id}`, { signal });
      return withReason(body.export);
    },
    enabled: id !== null,
    refetchInterval: ({ state }) =>
      state.data?.status === "done" || state.data?.status === "failed" ? false : POLL_MS,
  });
}

function ExportState({ shown }: { shown: AccountExport }) {
  const { id, status, progress, size, error, expiresAt } = shown;
  if (status === "failed")
    return (
      <Notice kind="bad" title={page.failed} className="mb-3">
        {error}
      </Notice>
    );
  if (status === "done")
    return (
      <Notice
        kind="good"
        title={page.done(formatMegabytes(size ?? 0))}
        className="mb-3"
        action={
          <Button kind="primary" size="small" asChild>
            <DownloadLink path={`/api/account/exports/${id}/file`}>
              <Download size={16} aria-hidden />
              {page.download}
            </DownloadLink>
          </Button>
        }
      >
        {page.until(formatMoment(expiresAt))}
      </Notice>
    );
  const isKnown = status === "running" && progress.total > 0;
  return (
    <div role="status" className="mb-3 max-w-xl">
      <p className="tabular mb-1.5 font-semibold">
        {isKnown ? page.running(formatCount(progress.done), formatCount(progress.total)) : page.waiting}
      </p>
      <progress
        aria-label={page.progress}
        className="block h-2 w-full accent-accent"
        {...(isKnown && { value: progress.done, max: Math.max(progress.total, progress.done) })}
      />
      <p className="mt-1.5 text-sm text-soft">{page.leave}</p>
    </div>
  );
}
