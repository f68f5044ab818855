import { useState } from "react";
import { texts } from "#dashboard/texts/index.ts";
import { Button } from "#dashboard/ui/button.tsx";
import { ConfirmDialog } from "#dashboard/ui/dialog.tsx";
import { DownloadLink } from "#dashboard/ui/download-link.tsx";
import { explainError } from "#dashboard/ui/notice.tsx";
import { showToast } from "#dashboard/ui/toast.tsx";
import { useSteer, type WorkAction } from "../queries.ts";
import { canUndo, isUnstarted, type Work } from "./work.ts";

type Asked = "cancel" | "undo" | null;

/** The buttons of an import or a bulk job: those that its status allows. */
export function WorkActions({ work, size = "small" }: { work: Work; size?: "small" | "medium" }) {
  const [asked, setAsked] = useState<Asked>(null);
  const steer = useSteer(work);
  const { status, title, kind, id, failures } = work;
  const run = (action: WorkAction) =>
    steer.mutate(action, {
      onError: (error) => showToast({ kind: "problem", title, text: explainError(error) }),
      onSettled: () => setAsked(null),
    });
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
      {status === "running" && button(own.pause, () => run("pause"))}
      {status === "paused" && button(own.resume, () => run("resume"))}
      {["reading", "ready", "running", "paused"].includes(status) &&
        button(isUnstarted(work) ? own.discard : own.cancel, () => setAsked("cancel"))}
      {canUndo(work) && button(own.undo, () => setAsked("undo"))}
      <CancelDialog
        work={work}
        open={asked === "cancel"}
        busy={steer.isPending}
        onClose={() => setAsked(null)}
        onConfirm={() => run("cancel")}
      />
      <UndoDialog
        work={work}
        open={asked === "undo"}
        busy={steer.isPending}
        onClose={() => setAsked(null)}
        onConfirm={() => run("undo")}
      />
    </>
  );
}

interface AskProps {
  work: Work;
  open: boolean;
  busy: boolean;
  onClose: () => void;
  onConfirm: () => void;
}

function CancelDialog({ work, open, busy, onClose, onConfirm }: AskProps) {
  const own = isUnstarted(work) ? texts.moving.work.confirmDiscard : texts.moving.work.confirmCancel;
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title={own.title}
      description={own.text}
      action={own.action}
      danger
      busy={busy}
      onConfirm={onConfirm}
    />
  );
}

function UndoDialog({ work, open, busy, onClose, onConfirm }: AskProps) {
  const isImport = work.kind === "import";
  const own = isImport ? texts.moving.work.confirmUndoImport : texts.moving.work.confirmUndoJob;
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title={own.title(work.changed)}
      description={own.text}
      action={own.action(work.changed)}
      danger={isImport}
      busy={busy}
      onConfirm={onConfirm}
    />
  );
}
