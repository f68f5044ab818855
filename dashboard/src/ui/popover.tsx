import { Popover as Primitive } from "radix-ui";
import { useState, type ReactElement, type ReactNode } from "react";

interface PopoverProps {
  trigger: ReactElement;
  /** Said by screen readers. */
  label: string;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  align?: "start" | "center" | "end";
  children: ReactNode;
}

/** A small panel beside a button. */
export function Popover({ trigger, label, align = "start", children, open, onOpenChange }: PopoverProps) {
  const [isOpen, setOpen] = useState(false);
  const change = (next: boolean) => {
    setOpen(next);
    onOpenChange?.(next);
  };
  return (
    <Primitive.Root open={open ?? isOpen} onOpenChange={change}>
      <Primitive.Trigger asChild>{trigger}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          aria-label={label}
          align={align}
          sideOffset={6}
          collisionPadding={8}
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
