import { texts } from "#dashboard/texts/index.ts";
import { Card, Skeleton } from "#dashboard/ui/layout.tsx";

/** Stands for a list of jobs or exports. */
export function ListSkeleton() {
  return (
    <Card>
      <div role="status" aria-label={texts.ui.loading} className="divide-y divide-line">
        {[1, 2, 3].map((row) => (
          <div key={row} className="flex items-center gap-4 px-5 py-4">
            <div className="flex-1">
              <Skeleton className="h-5 w-48" />
              <Skeleton className="mt-2 h-4 w-64 max-w-full" />
            </div>
            <Skeleton className="h-8 w-24" />
          </div>
        ))}
      </div>
    </Card>
  );
}
