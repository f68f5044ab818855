import { cx } from "../../lib/class-names.ts";
import { texts } from "../../texts/index.ts";
import { Skeleton } from "../../ui/layout.tsx";
import type { Source } from "./source.ts";

/** Stands for analytics while they load for the first time. */
export function AnalyticsSkeleton({ source }: { source: Source }) {
  const cards = source.kind === "account" ? 6 : 5;
  return (
    <div role="status" aria-label={texts.ui.loading} className="grid grid-cols-1 gap-4">
      <div className="rounded-card border border-line bg-surface">
        <div className="m-5 flex gap-4 sm:gap-10">
          <Skeleton className="h-14 w-28" />
          <Skeleton className="h-14 w-28" />
          <Skeleton className="h-14 w-28" />
        </div>
        <TimelineSkeleton source={source} />
      </div>
      <div className="grid gap-4 md:grid-cols-2">
        {Array.from({ length: cards }, (_, index) => (
          <CardSkeleton key={index} />
        ))}
      </div>
    </div>
  );
}

/** Stands for the timeline and its notes, in their height. */
export function TimelineSkeleton({ source }: { source: Source }) {
  return (
    <div className="px-2 pt-3 pb-2">
      <div className="h-11" />
      <Skeleton className="h-[250px]" />
      {source.kind !== "shared" && <NotesPlace />}
    </div>
  );
}

/** As high as the list of notes without a note. */
export function NotesPlace() {
  return (
    <div className="mt-2 border-t border-line pt-2 pb-1">
      <div className="h-8" />
    </div>
  );
}

/** Stands for a card with a list of values. */
export function CardSkeleton({ className }: { className?: string }) {
  return (
    <div className={cx("rounded-card border border-line bg-surface p-5", className)}>
      <Skeleton className="mb-5 h-6 w-32" />
      {Array.from({ length: 6 }, (_, row) => (
        <Skeleton key={row} className="mb-2 h-8" />
      ))}
    </div>
  );
}
