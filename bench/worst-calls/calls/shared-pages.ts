import type { SharedPage } from "../../../src/shared-pages/contract.ts";
import { MAX_PAGE_SIZE_ITEMS, MAX_PASSWORD_CHARS, MAX_TITLE_CHARS } from "../../../src/limits.ts";
import type { FilledAccount } from "../account.ts";
import { randomText } from "../bodies.ts";
import { COMPARED, FILTERS, LONGEST } from "./clicks.ts";
import type { WorstCall } from "./call.ts";
import { MAX_SHARED_PAGES_PER_ACCOUNT } from "../../../src/shared-pages/limits.ts";

const PASSWORD = randomText(MAX_PASSWORD_CHARS);
const TITLE = randomText(MAX_TITLE_CHARS);
/** A tag of one in 53 links. */
const TAG = "tag-1";

interface Pages {
  ofLink: SharedPage;
  ofTag: SharedPage;
  /** The cookies of a viewer of each. */
  cookies: Map<SharedPage, string>;
}

const pagesOf = new WeakMap<FilledAccount, Promise<Pages>>();

/** Makes as many pages as an account can have, but for one. */
function fillPages(account: FilledAccount): Promise<Pages> {
  const pages = pagesOf.get(account) ?? createPages(account);
  pagesOf.set(account, pages);
  return pages;
}

async function createPages(account: FilledAccount): Promise<Pages> {
  const { busyLink } = account;
  const [ofLink, ofTag] = [await createPage(account, { linkId: busyLink }), await createPage(account, { tag: TAG })];
  for (let n = 2; n < MAX_SHARED_PAGES_PER_ACCOUNT - 1; n++) await createPage(account, { linkId: busyLink });
  const cookies = new Map<SharedPage, string>();
  for (const page of [ofLink, ofTag]) {
    const body = JSON.stringify({ password: PASSWORD });
    const { headers } = await account.send({ method: "POST", path: `${viewerPath(page)}/password`, body, key: null });
    cookies.set(page, String(headers["set-cookie"]).split(";")[0] ?? "");
  }
  return { ofLink, ofTag, cookies };
}

async function createPage({ ask }: FilledAccount, subject: object): Promise<SharedPage> {
  const body = JSON.stringify({ ...subject, title: TITLE, password: PASSWORD });
  return (await ask<{ sharedPage: SharedPage }>({ method: "POST", path: "/api/shared-pages", body })).sharedPage;
}

async function deleteNewest({ ask }: FilledAccount): Promise<void> {
  const path = `/api/shared-pages?limit=${MAX_PAGE_SIZE_ITEMS}`;
  const { sharedPages } = await ask<{ sharedPages: SharedPage[] }>({ method: "GET", path });
  if (sharedPages.length === MAX_SHARED_PAGES_PER_ACCOUNT)
    await ask({ method: "DELETE", path: `/api/shared-pages/${sharedPages[0]?.id}` });
}

const viewerPath = ({ url }: SharedPage) => `/api/shared/${url.split("/").at(-1)}`;

/** A read by a viewer with the password. */
function view(what: string, name: "ofLink" | "ofTag", end: string): WorstCall {
  return {
    what,
    prepare: async (account) => {
      const { [name]: page, cookies } = await fillPages(account);
      const headers = { Cookie: cookies.get(page) ?? "" };
      return { method: "GET", path: viewerPath(page) + end, headers, key: null };
    },
  };
}

export const sharedPageCalls = {
  "GET /api/shared-pages": [
    {
      what: "a page of 99 shared pages",
      prepare: async (account) => {
        await fillPages(account);
        return { method: "GET", path: `/api/shared-pages?limit=${MAX_PAGE_SIZE_ITEMS}` };
      },
    },
  ],
  "POST /api/shared-pages": [
    {
      what: "the hundredth, with a password",
      prepare: async (account) => {
        await fillPages(account);
        await deleteNewest(account);
        const body = JSON.stringify({ linkId: account.busyLink, title: TITLE, password: PASSWORD });
        return { method: "POST", path: "/api/shared-pages", body };
      },
      isScarce: true,
    },
  ],
  "GET /api/shared-pages/:id": [
    {
      what: "a page with a password",
      prepare: async (account) => ({
        method: "GET",
        path: `/api/shared-pages/${(await fillPages(account)).ofLink.id}`,
      }),
    },
  ],
  "PATCH /api/shared-pages/:id": [
    {
      what: "the longest title",
      prepare: async (account) => ({
        method: "PATCH",
        path: `/api/shared-pages/${(await fillPages(account)).ofLink.id}`,
        body: JSON.stringify({ title: TITLE, showDestination: true }),
      }),
    },
  ],
  "DELETE /api/shared-pages/:id": [
    {
      what: "one of a hundred",
      prepare: async (account) => {
        await fillPages(account);
        await deleteNewest(account);
        const { id } = await createPage(account, { linkId: account.busyLink });
        return { method: "DELETE", path: `/api/shared-pages/${id}` };
      },
      isScarce: true,
    },
  ],
  "GET /api/shared/:token": [view("with a password", "ofLink", "")],
  "GET /api/shared/:token/clicks": [
    view("all clicks of the busiest link, filtered", "ofLink", `/clicks?${LONGEST}&${FILTERS}`),
    view("all but one country of a tag, in days and compared", "ofTag", `/clicks?${COMPARED}`),
  ],
  "POST /api/shared/:token/password": [
    {
      what: "the right password",
      prepare: async (account) => ({
        method: "POST",
        path: `${viewerPath((await fillPages(account)).ofTag)}/password`,
        body: JSON.stringify({ password: PASSWORD }),
        key: null,
      }),
    },
  ],
} satisfies Record<string, WorstCall[]>;
