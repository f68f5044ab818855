import { DropdownMenu as Primitive } from "radix-ui";
import type { ReactElement, ReactNode } from "react";
import { cx } from "../lib/class-names.ts";
import { Keys } from "./keys.tsx";

/** A list of actions that a button opens. */
export function Menu({
  trigger,
  children,
  align = "end",
}: {
  trigger: ReactElement;
  children: ReactNode;
  align?: "start" | "end";
}) {
  return (
    // Not modal: a modal menu inserts a style element.
    <Primitive.Root modal={false}>
      <Primitive.Trigger asChild>{trigger}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          align={align}
          sideOffset={6}
          collisionPadding={8}
          className="z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-52 animate-rise overflow-y-auto rounded-card bg-raised p-1.5 shadow-float"
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
