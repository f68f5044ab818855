import { Command } from "cmdk";
import type { ReactNode } from "react";

export function PaletteGroup({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Command.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:py-1.5 [&_[cmdk-group-heading]]:text-sm [&_[cmdk-group-heading]]:text-soft"
    >
      {children}
    </Command.Group>
  );
}

/** Found by its text, or by `value`. */
export function PaletteItem({
  icon,
  value,
  disabled = false,
  onSelect,
  children,
}: {
  icon: ReactNode;
  value?: string;
  disabled?: boolean;
  onSelect: () => void;
  children: ReactNode;
}) {
  return (
    <Command.Item
      {...(value !== undefined && { value })}
      disabled={disabled}
      onSelect={onSelect}
      className="flex cursor-pointer items-center gap-3 rounded-control px-3 py-2.5 data-[selected=true]:bg-wash"
    >
      <span className="grid size-5 shrink-0 place-items-center">{icon}</span>
      <span className="min-w-0 flex-1">{children}</span>
    </Command.Item>
  );
}
