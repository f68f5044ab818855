import type { Export } from "#dashboard/api/types.ts";
import { texts } from "#dashboard/texts/index.ts";
import { ErrorNotice } from "#dashboard/ui/notice.tsx";
import { isActive } from "../polling.ts";
import { useExports } from "../queries.ts";
import { ListSkeleton } from "../work/list-skeleton.tsx";
import { ExportForm } from "./export-form.tsx";
import { ExportList } from "./export-list.tsx";
import {
  EXPORT_WINDOW_MS,
  MAX_FILE_EXPORTS_PER_WINDOW,
  MAX_KEPT_FILE_EXPORTS,
  MAX_RUNNING_EXPORTS,
} from "#src/moving/exports/limits.ts";

/** Starts exports, and has their files. */
export function ExportTab() {
  const { data: exports, error, refetch } = useExports();
  const { list } = texts.exporting;
  return (
    <>
      <ExportForm />
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h2 className="text-base font-bold">{list.title}</h2>
        <p className="text-sm text-soft tabular">
          {[list.kept(MAX_KEPT_FILE_EXPORTS), exports !== undefined && describeUse(exports)].filter(Boolean).join(" ")}
        </p>
      </div>
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} className="mb-4" />}
      {exports === undefined && error === null && <ListSkeleton />}
      {exports !== undefined && <ExportList exports={exports} />}
    </>
  );
}

function describeUse(exports: readonly Export[]): string {
  const started = exports.filter(({ createdAt }) => createdAt > Date.now() - EXPORT_WINDOW_MS).length;
  const running = exports.filter(isActive).length;
  return `${texts.moving.limits(started, MAX_FILE_EXPORTS_PER_WINDOW, running, MAX_RUNNING_EXPORTS)}.`;
}
