import { Slot } from "radix-ui";
import { useRef, useState, type MouseEvent, type ReactElement, type ReactNode } from "react";
import { lazyPart } from "../lib/lazy-part.ts";
import { LazyDialogs } from "./lazy-dialogs.tsx";

const OpenPopover = lazyPart(() => import("./open-popover.tsx").then(({ OpenPopover }) => OpenPopover));

export const preloadPopovers = OpenPopover.preload;

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
export function Popover({ trigger, open, onOpenChange, ...panel }: PopoverProps) {
  const [isOpenItself, setOpen] = useState(false);
  const isOpen = open ?? isOpenItself;
  const button = useRef<HTMLElement>(null);
  /** Safari moves the focus to another element at the press, which closes the panel before the click. */
  const wasOpen = useRef(false);
  const change = (next: boolean) => {
    setOpen(next);
    onOpenChange?.(next);
  };
  const press = ({ detail }: MouseEvent) => change(detail === 0 ? !isOpen : !wasOpen.current);
  const close = () => change(false);
  return (
    <>
      <Slot.Root
        ref={button}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onPointerDown={() => (wasOpen.current = isOpen)}
        onClick={press}
      >
        {trigger}
      </Slot.Root>
      {isOpen && (
        <LazyDialogs onFail={close}>
          <OpenPopover button={button} onClose={close} {...panel} />
        </LazyDialogs>
      )}
    </>
  );
}
