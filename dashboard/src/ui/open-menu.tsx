import { Menu as Primitive } from "radix-ui/internal";
import { useRef, type FocusEvent, type ReactNode, type RefObject } from "react";
import { cx } from "../lib/class-names.ts";
import { DIRECTION } from "../lib/direction.ts";
import { Keys } from "./keys.tsx";

// DropdownMenu renders several components for each closed menu. This module of Radix can change without notice: after an
// update of it, overlays.test.ts must pass.

interface OpenMenuProps {
  children: ReactNode;
  align?: "start" | "end";
  button: RefObject<HTMLElement | null>;
  /** A key has opened it, so the first item gets the focus. */
  byKey: boolean;
  onClose: () => void;
}

/** A menu that is open: beside its button; on phones, a drawer at the lower edge (src/styles.css). */
export function OpenMenu({ button, byKey, onClose, children, align = "end" }: OpenMenuProps) {
  const entered = useRef(false);
  /** The person has left the menu for something else, which keeps the focus. */
  const left = useRef(false);
  const enter = ({ currentTarget }: FocusEvent<HTMLElement>) => {
    if (byKey && !entered.current)
      currentTarget.querySelector<HTMLElement>("[role^=menuitem]:not([data-disabled])")?.focus();
    entered.current = true;
  };
  const leave = (event: CustomEvent) => {
    // The button closes its menu itself.
    if (button.current?.contains(event.target as Node) === true) event.preventDefault();
    else left.current = true;
  };
  const focusButton = (event: Event) => {
    event.preventDefault();
    // A dialog that an item has opened keeps the focus.
    if (!left.current && document.activeElement === document.body) button.current?.focus();
  };
  return (
    // Not modal: a modal menu inserts a style element.
    <Primitive.Root dir={DIRECTION} modal={false} open onOpenChange={onClose}>
      <Primitive.Anchor virtualRef={button} />
      <Primitive.Portal>
        {/* A dialog behind the menu takes the pointer from all that is not its own. */}
        <div className="pointer-events-auto fixed inset-0 z-40 animate-fade bg-scrim md:hidden" aria-hidden />
      </Primitive.Portal>
      <Primitive.Portal>
        <Primitive.Content
          data-menu=""
          align={align}
          sideOffset={6}
          collisionPadding={8}
          aria-labelledby={button.current?.id}
          onFocus={enter}
          // A dialog that an item opens gives the focus back to the button.
          onClickCapture={() => button.current?.focus()}
          onInteractOutside={leave}
          onCloseAutoFocus={focusButton}
          className={cx(
            "z-50 max-h-[92dvh] animate-rise overflow-y-auto rounded-t-card bg-raised p-1.5 pb-[max(--spacing(3),env(safe-area-inset-bottom))] shadow-float",
            "md:max-h-(--radix-popper-available-height) md:min-w-52 md:rounded-card md:pb-1.5",
          )}
        >
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

const ITEM =
  "flex cursor-pointer items-center gap-2.5 rounded-control px-2.5 py-3 outline-none select-none data-disabled:opacity-50 data-highlighted:bg-wash md:py-2";

export interface MenuItemProps {
  icon?: ReactNode;
  keys?: string;
  danger?: boolean;
  disabled?: boolean;
  /** Renders the only child, a link, as the item. */
  asChild?: boolean;
  onSelect?: () => void;
  children: ReactNode;
}

export function MenuItem({ icon, keys, danger = false, children, asChild = false, ...props }: MenuItemProps) {
  return (
    <Primitive.Item className={cx(ITEM, danger && "text-bad")} asChild={asChild} {...props}>
      {asChild ? (
        children
      ) : (
        <>
          {icon}
          <span className="flex-1">{children}</span>
          {keys !== undefined && <Keys keys={keys} className="text-soft" />}
        </>
      )}
    </Primitive.Item>
  );
}

export interface MenuChoiceProps {
  checked: boolean;
  onSelect: () => void;
  children: ReactNode;
}

export function MenuChoice({ checked, onSelect, children }: MenuChoiceProps) {
  return (
    <Primitive.CheckboxItem className={ITEM} checked={checked} onSelect={onSelect}>
      <span className="inline-flex w-4 justify-center text-accent" aria-hidden>
        {checked ? "✓" : ""}
      </span>
      <span className="flex-1">{children}</span>
    </Primitive.CheckboxItem>
  );
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <Primitive.Label className="px-2.5 py-1.5 text-sm text-soft">{children}</Primitive.Label>;
}

export const MenuSeparator = () => <Primitive.Separator className="my-1.5 h-px bg-line" />;
