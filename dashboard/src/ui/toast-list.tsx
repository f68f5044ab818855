import { CircleAlert, CircleCheck, X } from "lucide-react";
import { Toast as Primitive } from "radix-ui";
import type { ReactNode } from "react";
import { DIRECTION } from "../lib/direction.ts";
import { texts } from "../texts/index.ts";
import { Button, IconButton } from "./button.tsx";

export interface ToastContent {
  title: ReactNode;
  text?: ReactNode;
  kind?: "done" | "problem";
  /** For {@link hideToast}. */
  name?: string;
  /** Whether it is shown until it is closed. */
  isLasting?: boolean;
  /** A button, mostly to undo the change. */
  action?: { label: string; run: () => void };
}

export interface ShownToast extends ToastContent {
  id: number;
}

/** How long a toast is shown. One with an action stays longer. */
const SHOWN_MS = 5_000;
const SHOWN_WITH_ACTION_MS = 10_000;

/** The toasts at the edge of the window. */
export function ToastList({ toasts, onDismiss }: { toasts: readonly ShownToast[]; onDismiss: (id: number) => void }) {
  return (
    <Primitive.Provider label={texts.ui.notifications} swipeDirection={DIRECTION === "rtl" ? "left" : "right"}>
      {toasts.map(({ id, title, text, kind = "done", action, isLasting }) => (
        <Primitive.Root
          key={id}
          duration={isLasting === true ? Infinity : action === undefined ? SHOWN_MS : SHOWN_WITH_ACTION_MS}
          onOpenChange={(open) => !open && onDismiss(id)}
          // Radix takes the pointer from what is behind a dialog.
          className="pointer-events-auto! flex animate-rise items-start gap-3 rounded-card bg-raised p-3 ps-4 shadow-float"
        >
          <span className={kind === "done" ? "mt-2 text-good" : "mt-2 text-bad"}>
            {kind === "done" ? <CircleCheck size={18} aria-hidden /> : <CircleAlert size={18} aria-hidden />}
          </span>
          {/* A long button is below the text. */}
          <div className="flex min-w-0 flex-1 flex-wrap items-start gap-x-3">
            <div className="min-w-0 flex-1 basis-48 py-1.5">
              <Primitive.Title className="font-semibold wrap-anywhere">{title}</Primitive.Title>
              {text !== undefined && (
                <Primitive.Description className="wrap-anywhere text-soft">{text}</Primitive.Description>
              )}
            </div>
            {action !== undefined && (
              <Primitive.Action asChild altText={action.label}>
                <Button size="small" onClick={action.run}>
                  {action.label}
                </Button>
              </Primitive.Action>
            )}
          </div>
          <Primitive.Close asChild>
            <IconButton label={texts.ui.close} icon={<X size={16} aria-hidden />} size="small" />
          </Primitive.Close>
        </Primitive.Root>
      ))}
      <Primitive.Viewport
        data-toasts=""
        // A dialog hides all but live regions from screen readers. Radix announces the toasts itself, so this one is silent.
        aria-live="off"
        // Not over the buttons of a dialog, which are at the end of its lower edge.
        className="fixed inset-x-4 bottom-20 z-50 m-0 ms-auto flex max-w-sm list-none flex-col gap-2 p-0 outline-none md:inset-e-6 md:bottom-6 md:inset-s-auto md:w-96 max-md:with-dialog:top-3 max-md:with-dialog:bottom-auto md:with-dialog:inset-e-auto md:with-dialog:inset-s-6"
      />
    </Primitive.Provider>
  );
}
