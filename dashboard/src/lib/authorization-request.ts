import { keep, readKept } from "./kept.ts";

// The query of the page that asks whether an app may use the account, as `GET /oauth/authorize` leads there. It leaves the
// address before the router reads it: the router would write its values anew. So the address of the page is a path alone,
// to which people come back who sign in or up for it.

/** The path of the page. */
export const AUTHORIZE_PATH = "/app/authorize";

const NAME = "authorization-request";

let request: string | null = take();

function take(): string | null {
  const query = location.search.slice(1);
  if (location.pathname !== AUTHORIZE_PATH || query === "") return null;
  history.replaceState(history.state, "", AUTHORIZE_PATH);
  keep(NAME, query, "tab");
  return query;
}

/** The query of the request that waits for an answer; null without one. */
export function readRequest(): string | null {
  request ??= readKept(NAME, "tab") ?? readKept(NAME, "browser");
  return request;
}

/** Keeps the request again after the browser's storage was emptied, as at the end of a session. Returns whether there is one. */
export function keepRequest(): boolean {
  if (request !== null) keep(NAME, request, "tab");
  return request !== null;
}

/** Keeps the request for other tabs too: the link of a mail opens one. */
export function shareRequest(): void {
  const waiting = readRequest();
  if (waiting !== null) keep(NAME, waiting, "browser");
}

/** Forgets the request once it was answered. */
export function forgetRequest(): void {
  request = null;
  keep(NAME, null, "tab");
  keep(NAME, null, "browser");
}

/** Whether the page asks the person. Otherwise it says why it cannot. */
export function asksPerson(): boolean {
  const query = readRequest();
  return query !== null && !new URLSearchParams(query).has("error");
}
