import { Slot } from "radix-ui";
import { useId, useRef, useState, type KeyboardEvent, type MouseEvent, type ReactElement, type ReactNode } from "react";
import { lazyPart } from "../lib/lazy-part.ts";
import { LazyDialogs } from "./lazy-dialogs.tsx";
import type * as MenuParts from "./open-menu.tsx";
import type { MenuChoiceProps, MenuItemProps } from "./open-menu.tsx";

/** What an open menu consists of. Its code is loaded before the first menu opens. */
let parts: typeof MenuParts;

const OpenMenu = lazyPart(async () => {
  parts = await import("./open-menu.tsx");
  return parts.OpenMenu;
});

export const preloadMenus = OpenMenu.preload;

interface MenuProps {
  trigger: ReactElement;
  /** Parts of a menu: {@link MenuItem}, {@link MenuChoice}, {@link MenuLabel} and {@link MenuSeparator}. */
  children: ReactNode;
  align?: "start" | "end";
}

/**
 * A list of actions that a button opens; on phones, a drawer at the lower edge. Only an open one is rendered: each row of a
 * list has one.
 */
export function Menu({ trigger, ...props }: MenuProps) {
  const [opened, setOpened] = useState<"by pointer" | "by key" | null>(null);
  const button = useRef<HTMLElement>(null);
  const id = useId();
  /** Safari moves the focus to another element at the press, which closes the menu before the click. */
  const wasOpen = useRef(false);
  const close = () => setOpened(null);
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
        <LazyDialogs onFail={close}>
          <OpenMenu button={button} byKey={opened === "by key"} onClose={close} {...props} />
        </LazyDialogs>
      )}
    </>
  );
}

export const MenuItem = (props: MenuItemProps) => <parts.MenuItem {...props} />;

/** One of several choices, with a mark at the current one. */
export const MenuChoice = (props: MenuChoiceProps) => <parts.MenuChoice {...props} />;

export const MenuLabel = (props: { children: ReactNode }) => <parts.MenuLabel {...props} />;

export const MenuSeparator = () => <parts.MenuSeparator />;
