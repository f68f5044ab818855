import { Link } from "@tanstack/react-router";
import { ListChecks } from "lucide-react";
import { texts } from "#dashboard/texts/index.ts";
import { Button } from "#dashboard/ui/button.tsx";
import { Card, EmptyState } from "#dashboard/ui/layout.tsx";
import { ErrorNotice } from "#dashboard/ui/notice.tsx";
import { useWorks } from "../queries.ts";
import { JobLimits } from "./job-limits.tsx";
import { ListSkeleton } from "./list-skeleton.tsx";
import { WorkRow } from "./work-row.tsx";

/** Imports and bulk jobs: what they did, how far they are, and what can be done with them. */
export function JobsTab() {
  const { works, error, retry } = useWorks();
  const { lead, empty } = texts.moving.jobs;
  return (
    <>
      <div className="mb-4 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <p className="max-w-prose text-soft">{lead}</p>
        {works !== undefined && <JobLimits works={works} />}
      </div>
      {error !== null && <ErrorNotice error={error} onRetry={retry} className="mb-4" />}
      {works === undefined && error === null && <ListSkeleton />}
      {works?.length === 0 && (
        <Card>
          <EmptyState
            icon={<ListChecks aria-hidden />}
            title={empty.title}
            action={
              <Button kind="primary" asChild>
                <Link to="/links">{empty.action}</Link>
              </Button>
            }
            text={empty.text}
          />
        </Card>
      )}
      {works !== undefined && works.length > 0 && (
        <Card>
          <ul className="divide-y divide-line">
            {works.map((work) => (
              <WorkRow key={work.id} work={work} />
            ))}
          </ul>
        </Card>
      )}
    </>
  );
}
