import type { SharedPage } from "./contract.ts";
import type { SharedPageRow } from "./store/row.ts";
import { toPageUrl } from "./token.ts";

/** The resource on the wire. */
export async function toSharedPage(
  { env, baseUrl }: { env: Pick<Env, "ENCRYPTION_KEYS">; baseUrl: string },
  row: SharedPageRow,
): Promise<SharedPage> {
  const { id, linkId, tag, title, ...others } = describeSharedPage(row);
  return { id, linkId, tag, title, url: await toPageUrl(env, baseUrl, row), ...others };
}

/** The resource without its URL, which opens it. */
export function describeSharedPage(row: SharedPageRow): Omit<SharedPage, "url"> {
  return {
    id: row.id,
    linkId: row.link_id,
    tag: row.tag,
    title: row.title,
    hasPassword: row.password_hash !== null,
    showDestination: row.show_destination === 1,
    passwordAttackedAt: row.password_attacked_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
