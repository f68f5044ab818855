import type { Link } from "../../api/types.ts";
import { Skeleton } from "../../ui/layout.tsx";

/** Whose clicks are shown. */
export type Subject = { kind: "link"; link: Link } | { kind: "account" };

export function Analytics({ subject }: { subject: Subject }) {
  return <Skeleton key={subject.kind} className="h-64" />;
}
