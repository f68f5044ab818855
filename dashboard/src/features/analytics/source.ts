import type { Link } from "../../api/types.ts";

/** Whose clicks are shown. */
export type Subject = { kind: "link"; link: Link } | { kind: "account" };

/** Where the numbers come from: the account's own analytics, or a shared page. */
export type Source = Subject | { kind: "shared"; token: string };

export function pathOf(source: Source): string {
  if (source.kind === "link") return `/api/links/${source.link.id}/clicks`;
  return source.kind === "account" ? "/api/clicks" : `/api/shared/${encodeURIComponent(source.token)}/clicks`;
}
