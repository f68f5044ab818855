import { Tooltip as Primitive } from "radix-ui";
import type { ReactElement } from "react";
import { Keys } from "./keys.tsx";

/** A short text beside an element while it is hovered or focused. */
export function Tooltip({
  label,
  keys,
  children,
}: {
  label: string;
  keys?: string | undefined;
  children: ReactElement;
}) {
  return (
    <Primitive.Root delayDuration={350}>
      <Primitive.Trigger asChild>{children}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          sideOffset={6}
          collisionPadding={8}
          className="z-50 flex max-w-72 animate-fade items-center gap-2 rounded-control bg-ink px-2.5 py-1.5 text-sm text-page"
        >
          {label}
          {keys !== undefined && <Keys keys={keys} />}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

export const TooltipProvider = Primitive.Provider;
