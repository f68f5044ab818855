import { Popover as Primitive, Slot } from "radix-ui";
import { useState, type ReactElement, type ReactNode } from "react";
import { isTouchScreen, NARROW, useMedia } from "../lib/media.ts";
import { Dialog } from "./dialog.tsx";

interface PopoverProps {
  trigger: ReactElement;
  /** Said by screen readers, and the title of the drawer. */
  label: string;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  align?: "start" | "center" | "end";
  children: ReactNode;
}

/** A small panel beside a button; on phones, a drawer at the lower edge. */
export function Popover({ trigger, label, align = "start", children, open, onOpenChange }: PopoverProps) {
  const [isOpen, setOpen] = useState(false);
  const change = (next: boolean) => {
    setOpen(next);
    onOpenChange?.(next);
  };
  if (useMedia(NARROW))
    return (
      <>
        <Slot.Root aria-haspopup="dialog" aria-expanded={open ?? isOpen} onClick={() => change(true)}>
          {trigger}
        </Slot.Root>
        <Dialog open={open ?? isOpen} onClose={() => change(false)} title={label}>
          {children}
        </Dialog>
      </>
    );
  return (
    <Primitive.Root open={open ?? isOpen} onOpenChange={change}>
      <Primitive.Trigger asChild>{trigger}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          aria-label={label}
          align={align}
          sideOffset={6}
          collisionPadding={8}
          onOpenAutoFocus={(event) => {
            if (!isTouchScreen()) return;
            event.preventDefault();
            (event.currentTarget as HTMLElement).focus();
          }}
          // A toast takes the Escape that the panel would close by.
          onKeyDown={(event) => {
            if (event.key !== "Escape" || event.defaultPrevented) return;
            event.preventDefault();
            change(false);
          }}
          className="z-50 max-h-(--radix-popover-content-available-height) w-80 max-w-[calc(100vw-1rem)] animate-rise overflow-y-auto rounded-card bg-raised p-4 shadow-float outline-none"
        >
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
