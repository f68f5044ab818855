import { MAX_JOBS_PER_WINDOW, MAX_RUNNING_JOBS } from "#src/limits.ts";
import { texts } from "#dashboard/texts/index.ts";
import { usedOf, type Work } from "./work.ts";

/** How much of the account's limits for imports and bulk jobs is used. */
export function JobLimits({ works }: { works: readonly Work[] }) {
  const { started, running } = usedOf(works);
  return (
    <p className="text-sm text-soft tabular">
      {texts.moving.limits(started, MAX_JOBS_PER_WINDOW, running, MAX_RUNNING_JOBS)}
    </p>
  );
}
