import { ChartNoAxesColumn, Download, FileDown, Link2, QrCode } from "lucide-react";
import type { Export } from "#dashboard/api/types.ts";
import { formatDay, formatMoment, formatRelative, formatSize } from "#dashboard/lib/format.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Button } from "#dashboard/ui/button.tsx";
import { DownloadLink } from "#dashboard/ui/download-link.tsx";
import { Card, EmptyState } from "#dashboard/ui/layout.tsx";
import { isActive } from "../polling.ts";
import { ProgressBar } from "../work/progress-bar.tsx";
import { StatusBadge } from "../work/status-badge.tsx";

const ICONS = { links: Link2, clicks: ChartNoAxesColumn, qr: QrCode } as const;

/** The exports of the account, with their files. */
export function ExportList({ exports }: { exports: readonly Export[] }) {
  const { empty } = texts.exporting.list;
  return (
    <Card>
      {exports.length === 0 ? (
        <EmptyState icon={<FileDown aria-hidden />} title={empty.title} text={empty.text} />
      ) : (
        <ul className="divide-y divide-line">
          {exports.map((each) => (
            <ExportRow key={each.id} export={each} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function ExportRow({
  export: { id, kind, format, status, progress, size, error, createdAt, expiresAt },
}: {
  export: Export;
}) {
  const own = texts.exporting.list;
  const { kinds, formats } = texts.exporting.form;
  const name = own.name(kinds[kind], formats[format]);
  const Icon = ICONS[kind];
  const isKnown = progress.total > 0;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 px-5 py-4">
      <div className="flex min-w-0 flex-1 basis-64 gap-3">
        <Icon size={20} className="mt-0.5 shrink-0 text-soft" aria-hidden />
        <div className="min-w-0 flex-1">
          <p className="flex flex-wrap items-center gap-2" role="status">
            <span className="font-semibold">{name}</span>
            <StatusBadge status={status} />
          </p>
          <p className="text-sm text-soft tabular">
            {[
              status === "done" && own.records(progress.done, kind),
              size !== null && formatSize(size),
              own.created(formatRelative(createdAt)),
              own.expires(formatDay(expiresAt)),
            ]
              .filter(Boolean)
              .join(" · ")}
          </p>
          {status === "failed" && <p className="mt-1 text-sm text-bad">{error ?? own.failed}</p>}
          {isActive({ status }) && (
            <div className="mt-2 max-w-xl">
              <ProgressBar label={name} {...(isKnown && progress)} />
              <p className="mt-1 text-sm text-soft tabular">
                {isKnown ? own.progress(progress.done, progress.total) : own.waiting}
              </p>
            </div>
          )}
        </div>
      </div>
      {status === "done" && (
        <Button size="small" asChild>
          <DownloadLink path={`/api/exports/${id}/file`} aria-label={own.downloadOf(name, formatMoment(createdAt))}>
            <Download size={16} aria-hidden />
            {own.download}
          </DownloadLink>
        </Button>
      )}
    </li>
  );
}
