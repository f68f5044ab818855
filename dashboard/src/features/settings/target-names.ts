import { useQuery } from "@tanstack/react-query";
import type { ApiKey } from "../../../../src/keys/contract.ts";
import type { MemberBody } from "../../../../src/teams/schemas.ts";
import type { Webhook } from "../../../../src/webhooks/contract.ts";
import { domainsQuery } from "../../api/resources.ts";
import { useSession } from "../../session.ts";
import { useList } from "./queries.ts";

/** The names of what an audit log mentions, by id. */
export type TargetNames = ReadonlyMap<string, string>;

const PAGE_SIZE = 100;
const query = { limit: PAGE_SIZE };

/** Reads the names of the keys, webhooks, domains and members that are still there. */
export function useTargetNames(): TargetNames {
  const { account } = useSession();
  const keys = useList<ApiKey>(["keys"], "/api/keys", "keys", { query });
  const webhooks = useList<Webhook>(["webhooks"], "/api/webhooks", "webhooks", { query });
  const { data: domains = [] } = useQuery(domainsQuery);
  const members = useList<MemberBody>(["members"], `/api/teams/${account.id}/members`, "members", {
    query,
    enabled: account.kind === "team",
  });
  return new Map([
    ...(keys.items ?? []).map(({ id, name }) => [id, `“${name}”`] as const),
    ...(webhooks.items ?? []).map(({ id, url }) => [id, url] as const),
    ...domains.map(({ id, unicodeDomain }) => [id, unicodeDomain] as const),
    ...(members.items ?? []).map(({ userId, name }) => [userId, name] as const),
  ]);
}
