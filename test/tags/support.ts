import { beforeEach } from "vitest";
import type { Job } from "../../src/jobs/contract.ts";
import type { Link } from "../../src/links/contract.ts";
import { call, createAccount, jsonOf, type ErrorJson } from "../support/api.ts";

export interface TagPage {
  tags: { name: string; links: number }[];
  nextCursor: string | null;
}

/** A new account for each test, and calls with its key. */
export function taggedAccount() {
  const account = { key: "", accountId: 0 };
  beforeEach(async () => Object.assign(account, await createAccount()));

  async function api<T>(method: string, path: string, body?: object): Promise<T & { status: number } & ErrorJson> {
    const response = await call(method, path, { key: account.key, body });
    return { status: response.status, ...(await jsonOf<T & ErrorJson>(response)) };
  }
  const pathOf = (tag: string) => `/api/tags/${encodeURIComponent(tag)}`;
  return {
    account,
    api,
    /** Each tag with its number of links, such as `sale 2`. */
    tagsOf: async (query = "") =>
      (await api<TagPage>("GET", `/api/tags${query}`)).tags.map(({ name, links }) => `${name} ${links}`),
    rename: (tag: string, name: string) => api<{ job: Job }>("PATCH", pathOf(tag), { name }),
    remove: (tag: string) => api<{ job: Job }>("DELETE", pathOf(tag)),
    jobOf: async (id: string) => (await api<{ job: Job }>("GET", `/api/jobs/${id}`)).job,
    tagsOfLink: async (id: string) => (await api<{ link: Link }>("GET", `/api/links/${id}`)).link.tags,
    slugs: async (query: string) =>
      (await api<{ links: Link[] }>("GET", `/api/links?${query}`)).links.map(({ slug }) => slug),
  };
}
