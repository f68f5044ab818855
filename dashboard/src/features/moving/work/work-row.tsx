import { Link } from "@tanstack/react-router";
import { FileUp, ListChecks } from "lucide-react";
import { formatCount, formatDay, formatRelative } from "#dashboard/lib/format.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Button } from "#dashboard/ui/button.tsx";
import { isActive } from "../polling.ts";
import { ProgressBar } from "./progress-bar.tsx";
import { StatusBadge } from "./status-badge.tsx";
import { WorkActions } from "./work-actions.tsx";
import type { Work } from "./work.ts";

/** An import or a bulk job in a list. */
export function WorkRow({ work }: { work: Work }) {
  const { kind, title, about, status, error, createdAt, expiresAt } = work;
  const Icon = kind === "import" ? FileUp : ListChecks;
  const own = texts.moving.work;
  const showsProgress = isActive(work) || status === "paused";
  return (
    <li className="grid gap-x-4 gap-y-2 px-5 py-4 md:grid-cols-[minmax(0,1fr)_auto] md:items-center">
      <div className="flex min-w-0 gap-3">
        <Icon size={20} className="mt-0.5 shrink-0 text-soft" aria-hidden />
        <div className="min-w-0 flex-1">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <span className="font-semibold break-words">{title}</span>
            <StatusBadge status={status} />
          </p>
          <p className="text-sm text-soft">
            {[about, own.started(formatRelative(createdAt)), expiresAt !== null && own.kept(formatDay(expiresAt))]
              .filter(Boolean)
              .join(" · ")}
          </p>
          {error !== null && <p className="mt-1 text-sm text-bad">{error}</p>}
          {showsProgress && <WorkProgress work={work} />}
          {!isActive(work) && <WorkCounts work={work} />}
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-2 max-md:ps-8 md:justify-end">
        {kind === "import" && (
          <Button size="small" kind={status === "ready" ? "primary" : "secondary"} asChild>
            <Link
              to="/moving/$kind"
              params={{ kind: "import" }}
              search={{ id: work.id }}
              aria-label={own.actionFor(status === "ready" ? texts.moving.jobs.review : texts.moving.jobs.open, title)}
            >
              {status === "ready" ? texts.moving.jobs.review : texts.moving.jobs.open}
            </Link>
          </Button>
        )}
        <WorkActions work={work} />
      </div>
      <span className="sr-only" role="status">
        {showsProgress ? "" : `${title}: ${texts.moving.status[status]}`}
      </span>
    </li>
  );
}

export function WorkProgress({ work: { title, status, progress } }: { work: Work }) {
  const own = texts.moving.work;
  const isKnown = progress.total > 0 && status !== "reading";
  return (
    <div className="mt-2 max-w-xl">
      <ProgressBar label={title} {...(isKnown && progress)} />
      <p className="mt-1 text-sm text-soft tabular">
        {status === "paused"
          ? own.pausedAt(progress.done, progress.total)
          : isKnown
            ? own.progress(progress.done, progress.total)
            : own.reading}
      </p>
    </div>
  );
}

export function WorkCounts({ work: { counts } }: { work: Work }) {
  if (counts.length === 0) return null;
  return (
    <dl className="mt-1 flex flex-wrap gap-x-4 gap-y-0.5 text-sm">
      {counts.map(({ label, count }) => (
        <div key={label} className="flex gap-1.5">
          <dt className="text-soft">{label}</dt>
          <dd className="font-semibold tabular">{formatCount(count)}</dd>
        </div>
      ))}
    </dl>
  );
}
