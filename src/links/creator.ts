import type { Starter } from "../platform/auth/still-allowed.ts";
import type { LinkRow } from "./store/row.ts";

/** The columns of who creates a link. */
export function creatorColumns(creator: Starter | null): Pick<LinkRow, "created_by_key" | "created_by_user"> {
  return {
    created_by_key: creator?.type === "key" ? creator.id : null,
    created_by_user: creator?.type === "user" ? creator.id : null,
  };
}
