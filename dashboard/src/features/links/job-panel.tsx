import { CircleAlert, CircleCheck, LoaderCircle, X } from "lucide-react";
import { useEffect, useState } from "react";
import type { BulkJob } from "../../api/types.ts";
import { cx } from "../../lib/class-names.ts";
import { useShortcut } from "../../lib/shortcuts.ts";
import { texts } from "../../texts/index.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { DownloadLink } from "../../ui/download-link.tsx";
import { explainError } from "../../ui/notice.tsx";
import { showToast } from "../../ui/toast.tsx";
import { hideJob, isRunning, steerJob, useBulkJob, useShownJobs, type ShownJob } from "./bulk-jobs.ts";

/**
 * The bulk jobs of this browser: their progress, what came of them, and how to undo them. On phones, the bar of the
 * selection takes their place while it is shown.
 */
export function JobPanel({ hasSelection }: { hasSelection: boolean }) {
  const jobs = useShownJobs();
  if (jobs.length === 0) return null;
  return (
    <section
      aria-label={texts.linkList.jobs.label}
      className={cx(
        "fixed inset-x-4 bottom-36 z-20 ms-auto grid max-w-sm gap-2 md:inset-e-6 md:inset-s-auto md:w-96 lg:bottom-24",
        hasSelection && "max-md:hidden",
      )}
    >
      {jobs.map((shown) => (
        <Job key={shown.id} shown={shown} />
      ))}
    </section>
  );
}

function Job({ shown }: { shown: ShownJob }) {
  const { id, label } = shown;
  const { data: job } = useBulkJob(id);
  const steer = (action: "cancel" | "undo") =>
    void steerJob(id, action).catch((error: unknown) =>
      showToast({ kind: "problem", title: label, text: explainError(error) }),
    );
  const canUndo = job !== undefined && job.changed > 0 && ["done", "failed", "cancelled"].includes(job.status);
  const hasJustEnded = useJustEnded(job !== undefined && isRunning(job));
  useHiding(id, job !== undefined && hasSucceeded(job));
  const { jobs } = texts.linkList;
  // To undo a restoring is to delete, which "Undo" does not say: the restoring is often itself the undoing of a deletion.
  // For the same reason it has no key.
  const restores = job?.action === "restore";
  const undoLabel = restores ? jobs.deleteAgain : texts.ui.undo;
  const hasKey = canUndo && hasJustEnded && !restores;
  useShortcut(hasKey ? "Ctrl+z" : undefined, { label: undoLabel, group: texts.shell.general }, () => steer("undo"));
  if (job === undefined) return null;
  const runs = isRunning(job);
  const failures = failuresOf(job);
  const [title, text] = describe(job, shown);
  return (
    <div className="animate-rise rounded-card bg-raised p-3 ps-4 shadow-float">
      <div className="flex items-start gap-3">
        <span className="mt-2">
          <JobIcon job={job} />
        </span>
        <div className="min-w-0 flex-1 py-1.5" role="status">
          <p className="font-semibold break-words">{title}</p>
          <p className="text-sm text-soft tabular">{text}</p>
        </div>
        {canUndo && (
          <Button size="small" onClick={() => steer("undo")}>
            {undoLabel}
          </Button>
        )}
        {job.status === "running" && (
          <Button size="small" onClick={() => steer("cancel")}>
            {jobs.cancel}
          </Button>
        )}
        {!runs && (
          <IconButton size="small" label={jobs.hide} icon={<X size={16} aria-hidden />} onClick={() => hideJob(id)} />
        )}
      </div>
      {runs && (
        <progress
          aria-label={label}
          className="mt-1 block h-1.5 w-full appearance-none overflow-hidden rounded-full bg-sunken [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-accent"
          max={Math.max(1, job.progress.total)}
          value={job.status === "reading" ? 0 : job.progress.done}
        />
      )}
      {failures > 0 && !runs && (
        <p className="mt-1 text-sm">
          {job.status === "undone" ? jobs.notUndone(failures) : jobs.failures(failures)}.{" "}
          <DownloadLink className="text-accent-strong underline" path={`/api/bulk/${id}/failures`}>
            {jobs.download}
          </DownloadLink>
        </p>
      )}
    </div>
  );
}

/** How long Ctrl+Z undoes a job after this page has seen its end, as long as a toast offers it. Its button stays. */
const UNDO_KEY_MS = 10_000;

function useJustEnded(isRunning: boolean): boolean {
  const [hasEnded, setEnded] = useState(false);
  useEffect(() => {
    if (isRunning) return () => setEnded(true);
    const timer = setTimeout(() => setEnded(false), UNDO_KEY_MS);
    return () => clearTimeout(timer);
  }, [isRunning]);
  return hasEnded && !isRunning;
}

/** How long a job without failures stays on the page after its end. The page of all jobs keeps it. */
const SUCCESS_SHOWN_MS = 60_000;

function useHiding(id: string, isOver: boolean): void {
  useEffect(() => {
    if (!isOver) return undefined;
    const timer = setTimeout(() => hideJob(id), SUCCESS_SHOWN_MS);
    return () => clearTimeout(timer);
  }, [id, isOver]);
}

function hasSucceeded(job: BulkJob): boolean {
  return ["done", "cancelled", "undone"].includes(job.status) && failuresOf(job) === 0;
}

/** The links that are not as the person wants them now. What failed before the job was undone no longer matters. */
const failuresOf = ({ status, failed, notUndone }: BulkJob): number => (status === "undone" ? notUndone : failed);

function JobIcon({ job }: { job: BulkJob }) {
  if (isRunning(job)) return <LoaderCircle size={18} className="animate-spin text-accent" aria-hidden />;
  return job.status === "failed" || failuresOf(job) > 0 ? (
    <CircleAlert size={18} className="text-bad" aria-hidden />
  ) : (
    <CircleCheck size={18} className="text-good" aria-hidden />
  );
}

/** What the job does or did, and how far it is. */
function describe(job: BulkJob, { label, change }: ShownJob): [title: string, text?: string | undefined] {
  const { jobs, changes } = texts.linkList;
  const { status, changed, progress, undone } = job;
  const done = changed === 0 ? "" : change === "restore" ? changes.restored(changed) : changes.done(change, changed);
  switch (status) {
    case "reading":
      return [label, jobs.reading];
    case "running":
      return [label, jobs.progress(progress.done, progress.total)];
    case "undoing":
      return [label, `${jobs.undoing} ${jobs.progress(progress.done, progress.total)}`];
    case "undone":
      return [label, changes.undone(undone)];
    case "failed":
      return [label, `${job.error ?? jobs.failed} ${done}`];
    case "cancelled":
    case "paused":
      return [label, `${jobs[status]} ${done}`];
    case "done":
    default:
      return done === "" ? [label, job.failed > 0 ? undefined : changes.nothing] : [done];
  }
}
