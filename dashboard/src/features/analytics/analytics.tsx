import type { Link } from "../../api/types.ts";

/** Whose clicks are shown. */
export type Subject = { kind: "link"; link: Link } | { kind: "account" };

export function Analytics({ subject }: { subject: Subject }) {
  return <div key={subject.kind}>…</div>;
}
