import type { ReactNode } from "react";
import { texts } from "#dashboard/texts/index.ts";
import { Badge } from "#dashboard/ui/layout.tsx";

/** The heading of a factor, with whether it is on. */
export function StateTitle({ on, children }: { on: boolean; children: ReactNode }) {
  const { factors } = texts.person;
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      {children} <Badge kind={on ? "good" : "neutral"}>{on ? factors.on : factors.off}</Badge>
    </span>
  );
}
