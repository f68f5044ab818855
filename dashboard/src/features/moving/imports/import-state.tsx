import { Link } from "@tanstack/react-router";
import type { Import } from "#dashboard/api/types.ts";
import { formatDay } from "#dashboard/lib/format.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Button } from "#dashboard/ui/button.tsx";
import { Section } from "#dashboard/ui/layout.tsx";
import { Notice } from "#dashboard/ui/notice.tsx";
import { WorkActions } from "../work/work-actions.tsx";
import { toWork } from "../work/work.ts";
import { WorkCounts, WorkProgress } from "../work/work-row.tsx";

/** An import that runs, or has ended. */
export function ImportState({ current }: { current: Import }) {
  const work = toWork(current);
  const { error } = work;
  const { status, expiresAt } = current;
  const [title, lead] = wordsOf(current);
  const showsProgress = ["reading", "running", "paused", "undoing"].includes(status);
  return (
    <Section title={title} {...(lead !== undefined && { lead })}>
      {error !== null && (
        <Notice kind="bad" title={error} className="mb-4">
          <p>{texts.importing.result.failedHint}</p>
        </Notice>
      )}
      {showsProgress && <WorkProgress work={work} />}
      <div role="status">{!showsProgress && <span className="sr-only">{title}</span>}</div>
      <WorkCounts work={work} />
      {!showsProgress && work.failures > 0 && <p className="mt-3 text-soft">{texts.importing.result.failures}</p>}
      <div className="mt-5 flex flex-wrap gap-2">
        {status === "done" && current.created > 0 && (
          <Button kind="primary" asChild>
            <Link to="/links">{texts.importing.result.toLinks}</Link>
          </Button>
        )}
        <WorkActions work={work} size="medium" />
        {!showsProgress && (
          <Button asChild>
            <Link to="/moving/$kind" params={{ kind: "import" }}>
              {texts.importing.result.again}
            </Link>
          </Button>
        )}
      </div>
      {expiresAt !== null && <p className="mt-4 text-sm text-soft">{texts.moving.work.kept(formatDay(expiresAt))}</p>}
    </Section>
  );
}

function wordsOf({ status, created, undone }: Import): [title: string, lead?: string] {
  const own = texts.importing;
  const done = created === 0 ? own.result.none : own.result.done(created);
  switch (status) {
    case "reading":
    case "ready":
      return [own.reading, own.readingLead];
    case "running":
      return [own.running, own.runningLead];
    case "undoing":
      return [own.undoing, own.runningLead];
    case "paused":
      return [own.paused];
    case "undone":
      return [own.result.undone(undone), own.result.undoneLead];
    case "cancelled":
      return created === 0 ? [own.result.discarded] : [done, own.result.cancelled];
    case "failed":
      return created === 0 ? [own.result.failed] : [done, own.result.failed];
    case "done":
    default:
      return [done];
  }
}
