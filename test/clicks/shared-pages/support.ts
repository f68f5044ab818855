import type { SharedPage } from "../../../src/clicks/shared-pages/contract.ts";
import type { SharedClicks, ViewedPage } from "../../../src/clicks/shared-pages/viewer-contract.ts";
import { call, jsonOf, type CallOptions, type ErrorJson } from "../../support/api.ts";

export interface Answer extends ErrorJson {
  status: number;
  sharedPage: SharedPage;
  sharedPages: SharedPage[];
  nextCursor: string | null;
  page: ViewedPage;
  clicks: SharedClicks;
}

export async function send(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
  const response = await call(method, path, options);
  return { ...(await jsonOf<Answer>(response)), status: response.status };
}

export async function createPage(key: string, body: object): Promise<SharedPage> {
  const answer = await send("POST", "/api/shared-pages", { key, body });
  if (answer.status !== 201) throw new Error(`create shared page: ${answer.status} ${answer.error}`);
  return answer.sharedPage;
}

/** The token in the page's URL. */
export function tokenOf({ url }: Pick<SharedPage, "url">): string {
  return url.split("/").at(-1) ?? "";
}

/** Reads the page as a viewer, without a key. */
export function view(page: Pick<SharedPage, "url">, path = "", cookie?: string): Promise<Answer> {
  return send(
    "GET",
    `/api/shared/${tokenOf(page)}${path}`,
    cookie === undefined ? {} : { headers: { Cookie: cookie } },
  );
}

export function enter(page: Pick<SharedPage, "url">, password: unknown, options: CallOptions = {}): Promise<Response> {
  return call("POST", `/api/shared/${tokenOf(page)}/password`, { body: { password }, ...options });
}
