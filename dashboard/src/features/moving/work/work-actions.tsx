import { useState } from "react";
import { texts } from "#dashboard/texts/index.ts";
import { Button } from "#dashboard/ui/button.tsx";
import { ConfirmDialog } from "#dashboard/ui/dialog.tsx";
import { DownloadLink } from "#dashboard/ui/download-link.tsx";
import { explainError } from "#dashboard/ui/notice.tsx";
import { showToast } from "#dashboard/ui/toast.tsx";
import { useSteer, type WorkAction } from "../queries.ts";
import { canUndo, isUnstarted, type Work } from "./work.ts";

/** The buttons of an import or a bulk job: those that its status allows. */
export function WorkActions({ work, size = "small" }: { work: Work; size?: "small" | "medium" }) {
  const [asked, setAsked] = useState<"cancel" | "undo" | null>(null);
  const steer = useSteer(work);
  const { status, title, kind, id, failures } = work;
  const run = (action: WorkAction) =>
    steer
      .mutateAsync(action)
      .catch((error: unknown) => showToast({ kind: "problem", title, text: explainError(error) }))
      .finally(() => setAsked(null));
  const own = texts.moving.work;
  const button = (label: string, onClick: () => void) => (
    <Button
      size={size}
      aria-label={own.actionFor(label, title)}
      busy={steer.isPending && asked === null}
      onClick={onClick}
    >
      {label}
    </Button>
  );
  return (
    <>
      {failures > 0 && status !== "undoing" && (
        <Button size={size} asChild>
          <DownloadLink path={`/api/${kind === "import" ? "imports" : "bulk"}/${id}/failures`}>
            {own.failures(failures)}
          </DownloadLink>
        </Button>
      )}
      {status === "running" && button(own.pause, () => void run("pause"))}
      {status === "paused" && button(own.resume, () => void run("resume"))}
      {["reading", "ready", "running", "paused"].includes(status) &&
        button(isUnstarted(work) ? own.discard : own.cancel, () => setAsked("cancel"))}
      {canUndo(work) && button(own.undo, () => setAsked("undo"))}
      {asked !== null && (
        <ConfirmDialog
          {...wordsOf(asked, work)}
          danger={asked === "cancel" || kind === "import"}
          onClose={() => setAsked(null)}
          onConfirm={() => run(asked)}
        />
      )}
    </>
  );
}

function wordsOf(asked: "cancel" | "undo", work: Work): { title: string; description: string; action: string } {
  const { confirmDiscard, confirmCancel, confirmUndoImport, confirmUndoJob } = texts.moving.work;
  if (asked === "cancel") {
    const { title, text, action } = isUnstarted(work) ? confirmDiscard : confirmCancel;
    return { title, description: text, action };
  }
  const { title, text, action } = work.kind === "import" ? confirmUndoImport : confirmUndoJob;
  return { title: title(work.changed), description: text, action: action(work.changed) };
}
