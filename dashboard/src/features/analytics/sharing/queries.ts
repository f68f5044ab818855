import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { SharedPage } from "#src/clicks/shared-pages/contract.ts";
import type { CreateSharedPage, UpdateSharedPage } from "#src/clicks/shared-pages/contract.ts";
import type { ViewedPage } from "#src/clicks/shared-pages/viewer-contract.ts";
import { call } from "#dashboard/api/client.ts";
import { VIEWED_PAGES } from "../queries.ts";
import { MAX_SHARED_PAGES_PER_ACCOUNT } from "#src/clicks/shared-pages/limits.ts";

export type { SharedPage };

const SHARED_PAGES = ["shared-pages"] as const;

export function useSharedPages() {
  return useQuery({
    queryKey: SHARED_PAGES,
    queryFn: async ({ signal }) => {
      const query = { limit: MAX_SHARED_PAGES_PER_ACCOUNT };
      return (await call<{ sharedPages: SharedPage[] }>("GET", "/api/shared-pages", { query, signal })).sharedPages;
    },
  });
}

type Answer = { sharedPage: SharedPage };

/** Changes of shared pages. Each replaces what is known of the list. */
export function useSharedPageChanges() {
  const client = useQueryClient();
  const change = (update: (pages: SharedPage[]) => SharedPage[]) =>
    client.setQueryData<SharedPage[]>(SHARED_PAGES, (pages) => pages && update(pages));
  const create = useMutation({
    mutationFn: (body: CreateSharedPage) => call<Answer>("POST", "/api/shared-pages", { body }),
    onSuccess: ({ sharedPage }) => change((pages) => [sharedPage, ...pages]),
  });
  const update = useMutation({
    mutationFn: ({ id, body }: { id: string; body: UpdateSharedPage }) =>
      call<Answer>("PATCH", `/api/shared-pages/${id}`, { body }),
    onSuccess: ({ sharedPage }) =>
      change((pages) => pages.map((page) => (page.id === sharedPage.id ? sharedPage : page))),
  });
  const revoke = useMutation({
    mutationFn: (id: string) => call<object>("DELETE", `/api/shared-pages/${id}`),
    onSuccess: (_, id) => change((pages) => pages.filter((page) => page.id !== id)),
  });
  return { create, update, revoke };
}

/** A shared page as its viewers see it. */
export function useViewedPage(token: string) {
  return useQuery({
    queryKey: [...VIEWED_PAGES, token],
    queryFn: async ({ signal }) =>
      (await call<{ page: ViewedPage }>("GET", `/api/shared/${encodeURIComponent(token)}`, { signal })).page,
  });
}
