import { Slot } from "radix-ui";
// DropdownMenu renders several components for each closed menu. This module of Radix can change without notice: after an
// update of it, overlays.test.ts must pass.
import { Menu as Primitive } from "radix-ui/internal";
import {
  useId,
  useRef,
  useState,
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  type RefObject,
} from "react";
import { cx } from "../lib/class-names.ts";
import { Keys } from "./keys.tsx";

interface MenuProps {
  trigger: ReactElement;
  children: ReactNode;
  align?: "start" | "end";
}

/** A list of actions that a button opens. Only an open one is rendered: each row of a list has one. */
export function Menu({ trigger, ...props }: MenuProps) {
  const [opened, setOpened] = useState<"by pointer" | "by key" | null>(null);
  const button = useRef<HTMLElement>(null);
  const id = useId();
  /** Safari moves the focus to another element at the press, which closes the menu before the click. */
  const wasOpen = useRef(false);
  const press = ({ detail }: MouseEvent) => {
    const isByKey = detail === 0;
    const isOpen = isByKey ? opened !== null : wasOpen.current;
    setOpened(isOpen ? null : isByKey ? "by key" : "by pointer");
  };
  const openByArrow = (event: KeyboardEvent) => {
    if (event.key !== "ArrowDown") return;
    event.preventDefault();
    setOpened("by key");
  };
  return (
    <>
      <Slot.Root
        ref={button}
        id={id}
        aria-haspopup="menu"
        aria-expanded={opened !== null}
        onPointerDown={() => (wasOpen.current = opened !== null)}
        onClick={press}
        onKeyDown={openByArrow}
      >
        {trigger}
      </Slot.Root>
      {opened !== null && (
        <OpenMenu button={button} byKey={opened === "by key"} onClose={() => setOpened(null)} {...props} />
      )}
    </>
  );
}

interface OpenMenuProps extends Omit<MenuProps, "trigger"> {
  button: RefObject<HTMLElement | null>;
  /** A key has opened it, so the first item gets the focus. */
  byKey: boolean;
  onClose: () => void;
}

function OpenMenu({ button, byKey, onClose, children, align = "end" }: OpenMenuProps) {
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
    <Primitive.Root modal={false} open onOpenChange={onClose}>
      <Primitive.Anchor virtualRef={button} />
      <Primitive.Portal>
        <Primitive.Content
          align={align}
          sideOffset={6}
          collisionPadding={8}
          aria-labelledby={button.current?.id}
          onFocus={enter}
          // A dialog that an item opens gives the focus back to the button.
          onClickCapture={() => button.current?.focus()}
          onInteractOutside={leave}
          onCloseAutoFocus={focusButton}
          className="z-50 max-h-(--radix-popper-available-height) min-w-52 animate-rise overflow-y-auto rounded-card bg-raised p-1.5 shadow-float"
        >
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

interface MenuItemProps {
  icon?: ReactNode;
  keys?: string;
  danger?: boolean;
  disabled?: boolean;
  /** Renders the only child, a link, as the item. */
  asChild?: boolean;
  onSelect?: () => void;
  children: ReactNode;
}

const ITEM =
  "flex cursor-pointer items-center gap-2.5 rounded-control px-2.5 py-2 outline-none select-none data-disabled:opacity-50 data-highlighted:bg-wash";

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

/** One of several choices, with a mark at the current one. */
export function MenuChoice({
  checked,
  onSelect,
  children,
}: {
  checked: boolean;
  onSelect: () => void;
  children: ReactNode;
}) {
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
