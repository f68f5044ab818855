import { useQuery } from "@tanstack/react-query";
import type { ApiKey } from "#src/identity/keys/contract.ts";
import { MAX_PAGE_SIZE_ITEMS } from "#src/limits.ts";
import type { MemberBody } from "#src/identity/teams/schemas.ts";
import { call } from "../../api/client.ts";
import type { Link, Links } from "../../api/types.ts";
import { queryClient } from "../../api/query-client.ts";
import { useSession } from "../../session.ts";
import { texts } from "../../texts/index.ts";

type Creator = NonNullable<Links["creators"]>[number];
type Creators = Readonly<Record<string, Creator>>;

const QUERY_KEY = ["creators"] as const;

/** Keeps the names of creators that were read. */
export function rememberCreators(creators: readonly Creator[] = []): void {
  const named = Object.fromEntries(creators.map((creator) => [creator.id, creator]));
  queryClient.setQueryData<Creators>(QUERY_KEY, (known) => ({ ...known, ...named }));
}

/** The creators whose names are known, by id. The person is one. */
export function useCreators(): Creators {
  const { id, name } = useSession().user;
  const options = { queryKey: QUERY_KEY, queryFn: (): Creators => ({}), initialData: {}, staleTime: Infinity };
  return { [id]: { type: "user", id, name }, ...useQuery(options).data };
}

/** Reads the names of the members and the keys of the account, as far as the person may. */
export function useCreatorChoices(enabled: boolean): void {
  const { account, can } = useSession();
  const isTeam = account.kind === "team";
  const mayReadKeys = can("keys:read");
  useQuery({
    queryKey: [...QUERY_KEY, "choices", isTeam, mayReadKeys],
    enabled,
    queryFn: async ({ signal }) => {
      const query = { limit: MAX_PAGE_SIZE_ITEMS };
      const read = <List>(path: string) => call<List>("GET", path, { query, signal });
      const [{ members }, { keys }] = await Promise.all([
        isTeam ? read<{ members: MemberBody[] }>(`/api/teams/${account.id}/members`) : { members: [] },
        mayReadKeys ? read<{ keys: ApiKey[] }>("/api/keys") : { keys: [] },
      ]);
      rememberCreators([
        ...members.map(({ userId, name }) => ({ type: "user" as const, id: userId, name })),
        ...keys.map(({ id, name }) => ({ type: "key" as const, id, name })),
      ]);
      return true;
    },
  });
}

/** What people call a creator. */
export function nameOfCreator(creators: Creators, createdBy: Link["createdBy"] | string): string {
  const { creator } = texts.linkList;
  if (createdBy === null) return creator.nobody;
  const known = creators[typeof createdBy === "string" ? createdBy : createdBy.id];
  if (known === undefined) return creator.unknown;
  if (known.name === null) return creator.gone;
  return known.type === "key" ? creator.key(known.name) : known.name;
}
