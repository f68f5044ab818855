import { texts } from "../../texts/index.ts";
import { Skeleton } from "../../ui/layout.tsx";

/** Stands for rows that are loading, in their shape. */
export function ListSkeleton({ rows = 8 }: { rows?: number }) {
  return (
    <div role="status" aria-label={texts.linkList.loadingMore}>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} className="flex h-[63px] items-center gap-3 border-b border-line px-4 last:border-b-0">
          <Skeleton className="size-4.5" />
          <Skeleton className="size-9 rounded-full!" />
          <div className="flex-1">
            <Skeleton className="mb-2 h-4 w-44" />
            <Skeleton className="h-3 w-72 max-w-full" />
          </div>
          <Skeleton className="h-4 w-40 max-md:hidden" />
          <Skeleton className="h-4 w-20 max-md:hidden" />
        </div>
      ))}
    </div>
  );
}
