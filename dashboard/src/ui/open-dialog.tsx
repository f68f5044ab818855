import { X } from "lucide-react";
import { Dialog as Primitive } from "radix-ui";
import { useRef, type ReactNode, type RefObject } from "react";
import { cx } from "../lib/class-names.ts";
import { texts } from "../texts/index.ts";
import { IconButton } from "./button.tsx";
import { isAbove } from "./layers.ts";
import { isComposing } from "../lib/composing.ts";

const WIDTHS = { small: "md:max-w-md", medium: "md:max-w-xl", large: "md:max-w-5xl" } as const;

export interface DialogProps {
  /** Called by Escape, the cross and a click beside the dialog. */
  onClose: () => void;
  title: ReactNode;
  description?: ReactNode;
  children?: ReactNode;
  /** Buttons at the lower edge. They stay visible while the content scrolls. */
  footer?: ReactNode;
  size?: "small" | "medium" | "large";
  /** False: a click beside the dialog keeps it open. */
  closesOutside?: boolean;
}

interface OpenDialogProps extends DialogProps {
  /** What had the focus before. */
  opener: RefObject<Element | null>;
}

/** A {@link Dialog} that is open. */
export function OpenDialog({
  opener,
  onClose,
  title,
  description,
  children,
  footer,
  size = "medium",
  closesOutside = true,
}: OpenDialogProps) {
  const content = useRef<HTMLDivElement>(null);
  return (
    <Primitive.Root open onOpenChange={onClose}>
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-40 animate-fade bg-scrim" />
        <Primitive.Content
          ref={content}
          data-dialog=""
          // Not the cross, whose tooltip would open. A dialog above another one does not keep the focus of `autoFocus`: its
          // field has `data-first-focus` too.
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            const dialog = event.currentTarget as HTMLElement;
            (dialog.querySelector<HTMLElement>("[data-first-focus]") ?? dialog).focus();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (document.activeElement === document.body && opener.current instanceof HTMLElement)
              opener.current.focus();
          }}
          // A toast takes the Escape that the dialog would close by. An Escape in a menu or panel of the dialog closes only that.
          onKeyDown={(event) => {
            const isInside = event.currentTarget.contains(event.target as Node);
            if (event.key === "Escape" && isInside && !event.defaultPrevented && !isComposing(event.nativeEvent))
              onClose();
          }}
          onInteractOutside={(event) => {
            if (!closesOutside || isToast(event.target) || isAbove(event.target, content.current))
              event.preventDefault();
          }}
          // Escape closes an open list of suggestions first, and ends the composition of an input method.
          onEscapeKeyDown={(event) => {
            const hasList = document.activeElement?.matches('[role="combobox"][aria-expanded="true"]') === true;
            if (hasList || isComposing(event)) event.preventDefault();
          }}
          {...(description === undefined && { "aria-describedby": undefined })}
          className={cx(
            "fixed inset-x-0 bottom-0 z-40 flex max-h-[92dvh] animate-rise flex-col rounded-t-card bg-raised shadow-float outline-none",
            "md:inset-x-4 md:top-[8vh] md:bottom-auto md:mx-auto md:max-h-[84vh] md:rounded-card",
            WIDTHS[size],
          )}
        >
          <header className="flex items-start justify-between gap-4 px-5 pt-4 pb-3">
            <div className="min-w-0 pt-1">
              <Primitive.Title className="text-lg leading-snug font-bold wrap-anywhere">{title}</Primitive.Title>
              {description !== undefined && (
                <Primitive.Description className="mt-1 text-soft">{description}</Primitive.Description>
              )}
            </div>
            <Primitive.Close asChild>
              <IconButton label={texts.ui.close} icon={<X size={20} aria-hidden />} size="small" />
            </Primitive.Close>
          </header>
          <div className="min-h-0 flex-1 overflow-y-auto px-5 pb-5">{children}</div>
          {footer !== undefined && (
            <footer className="flex flex-wrap items-center justify-end gap-2 border-t border-line px-5 py-3">
              {footer}
            </footer>
          )}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

/** A click on a toast does not close the dialog behind it. */
function isToast(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("[data-toasts]") !== null;
}
