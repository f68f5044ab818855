import { useMutation } from "@tanstack/react-query";
import { useLayoutEffect, useRef } from "react";
import { lazyPart } from "../lib/lazy-part.ts";
import { texts } from "../texts/index.ts";
import { Button } from "./button.tsx";
import { LazyDialogs } from "./lazy-dialogs.tsx";
import { ErrorNotice } from "./notice.tsx";
import type { DialogProps } from "./open-dialog.tsx";

const OpenDialog = lazyPart(() => import("./open-dialog.tsx").then(({ OpenDialog }) => OpenDialog));

export const preloadDialogs = OpenDialog.preload;

/** A dialog in the middle of the window, at the lower edge on phones. */
export function Dialog(dialog: DialogProps) {
  // The dialog is mounted after this effect, so the focus is still where the person was.
  const opener = useRef<Element | null>(null);
  useLayoutEffect(() => {
    opener.current = document.activeElement;
  }, []);
  return (
    <LazyDialogs onFail={dialog.onClose}>
      <OpenDialog opener={opener} {...dialog} />
    </LazyDialogs>
  );
}

interface ConfirmDialogProps extends Omit<DialogProps, "footer" | "size" | "closesOutside"> {
  /** What the button does, such as "Delete 3 links". */
  action: string;
  /** The button is busy until its promise ends. The dialog says why it failed. */
  onConfirm: () => unknown;
  /** `ends`: what it ends can be had again. True: it destroys something. */
  danger?: boolean | "ends";
  busy?: boolean;
  /** What it would do cannot be shown, so nobody can agree to it. */
  disabled?: boolean;
}

export function ConfirmDialog({
  action,
  onConfirm,
  danger = false,
  busy = false,
  disabled = false,
  children,
  ...dialog
}: ConfirmDialogProps) {
  const change = useMutation({ mutationFn: async () => await onConfirm() });
  return (
    <Dialog
      size="small"
      {...dialog}
      footer={
        <>
          <Button onClick={dialog.onClose}>{texts.ui.cancel}</Button>
          <Button
            kind={danger === "ends" ? "caution" : danger ? "danger" : "primary"}
            busy={busy || change.isPending}
            disabled={disabled}
            onClick={() => change.mutate()}
          >
            {action}
          </Button>
        </>
      }
    >
      {children}
      {change.error !== null && <ErrorNotice error={change.error} className="mt-4 first:mt-0" />}
    </Dialog>
  );
}
