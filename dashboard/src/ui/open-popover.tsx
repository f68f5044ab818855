import { Popover as Primitive } from "radix-ui";
import { useRef, type ReactNode, type RefObject } from "react";
import { isTouchScreen, NARROW, useMedia } from "../lib/media.ts";
import { Dialog } from "./dialog.tsx";
import { isAbove } from "./layers.ts";
import { isComposing } from "../lib/composing.ts";

interface OpenPopoverProps {
  button: RefObject<HTMLElement | null>;
  label: string;
  align?: "start" | "center" | "end";
  onClose: () => void;
  children: ReactNode;
}

/** A panel that is open: beside its button; on phones, a drawer at the lower edge. */
export function OpenPopover({ button, label, align = "start", onClose, children }: OpenPopoverProps) {
  /** The person has left the panel for something else, which keeps the focus. */
  const left = useRef(false);
  const content = useRef<HTMLDivElement>(null);
  if (useMedia(NARROW))
    return (
      <Dialog onClose={onClose} title={label}>
        {children}
      </Dialog>
    );
  return (
    <Primitive.Root open onOpenChange={onClose}>
      <Primitive.Anchor virtualRef={button} />
      <Primitive.Portal>
        <Primitive.Content
          ref={content}
          aria-label={label}
          align={align}
          sideOffset={6}
          collisionPadding={8}
          onOpenAutoFocus={(event) => {
            if (!isTouchScreen()) return;
            event.preventDefault();
            (event.currentTarget as HTMLElement).focus();
          }}
          onInteractOutside={(event) => {
            // The button closes its panel itself.
            const isButton = button.current?.contains(event.target as Node) === true;
            if (isButton || isAbove(event.target, content.current)) event.preventDefault();
            else left.current = true;
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (!left.current) button.current?.focus();
          }}
          onEscapeKeyDown={(event) => isComposing(event) && event.preventDefault()}
          // A toast takes the Escape that the panel would close by.
          onKeyDown={(event) => {
            if (event.key !== "Escape" || event.defaultPrevented || isComposing(event.nativeEvent)) return;
            event.preventDefault();
            onClose();
          }}
          className="z-50 max-h-(--radix-popover-content-available-height) w-80 max-w-[calc(100vw-1rem)] animate-rise overflow-y-auto rounded-card bg-raised p-4 shadow-float outline-none"
        >
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
