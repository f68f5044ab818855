import { queryOptions, useSuspenseQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { roleHas } from "#src/platform/auth/roles.ts";
import { actFor, call } from "./api/client.ts";
import { queryClient } from "./api/query-client.ts";
import type { AccountOfUser, SessionResponse, User } from "./api/types.ts";
import { AUTHORIZE_PATH, keepRequest } from "./lib/authorization-request.ts";
import { useLatest } from "./lib/latest.ts";
import { draftsOf, hasStored, readStored, store, useStored } from "./lib/storage.ts";
import { dismissToasts } from "./ui/toast.tsx";

/** The account that a tab acts for. A new tab begins with the one that any tab has chosen last. */
const ACCOUNT = "account";

const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: async ({ signal }) => {
    const session = await call<SessionResponse>("GET", "/api/auth/session", { signal });
    tellOtherTabs(session.user.id);
    return session;
  },
  staleTime: Infinity,
});

/** What the Worker saw when it served the page (src/redirect/pages/browser-page.ts). */
let hadNoSession = document.documentElement.dataset["session"] === "false";

/** Whether the browser may have a session. */
export const maybeSignedIn = (): boolean => !hadNoSession;

const tabs = new BroadcastChannel("session");

/** Whether this tab had a session, or the browser has a cookie of one. Nothing is left of a session that the person ended. */
export const hadSession = (): boolean => maybeSignedIn() || readStored(ACCOUNT, "tab") !== null;

/** A session that ended without the person signing out. */
export interface EndedSession {
  /** Whether this browser has a draft of a link of the person's account. */
  hasDraft: boolean;
}

export function describeEnd(): EndedSession {
  const account = readStored(ACCOUNT, "tab") ?? readStored(ACCOUNT);
  return { hasDraft: account !== null && hasStored(draftsOf(account)) };
}

/** Tells the other tabs who is signed in now; null: nobody. They have the same cookie, and must not go on showing another person's data. */
export function tellOtherTabs(userId: string | null): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
  tabs.postMessage(userId);
}

tabs.addEventListener("message", ({ data: userId }: MessageEvent<string | null>) => {
  const session = queryClient.getQueryData(sessionQuery.queryKey);
  if (session === undefined || session.user.id === userId) return;
  location.assign(location.pathname === AUTHORIZE_PATH && keepRequest() ? AUTHORIZE_PATH : "/app");
});

/** Calls the listener when somebody has signed in in another tab. */
export function useSignedInElsewhere(listener: () => void): void {
  const latest = useLatest(listener);
  useEffect(() => {
    const hear = ({ data: userId }: MessageEvent<string | null>) => userId !== null && latest();
    tabs.addEventListener("message", hear);
    return () => tabs.removeEventListener("message", hear);
  }, [latest]);
}

/** Reads the session, and makes requests act for the account that was used last. Throws a 401 without one. */
export async function openSession(): Promise<SessionResponse> {
  const session = await queryClient.query(sessionQuery);
  const chosen = readStored(ACCOUNT, "tab");
  const { id } = currentAccount(session.accounts, chosen ?? readStored(ACCOUNT));
  // From now on, what other tabs choose has no effect on this one.
  if (chosen === null) store(ACCOUNT, id, "tab");
  actFor(id);
  return session;
}

function currentAccount(accounts: readonly AccountOfUser[], id: string | null): AccountOfUser {
  const usable = accounts.filter(({ deletesAt }) => deletesAt === null);
  const account =
    usable.find((each) => each.id === id) ?? usable.find(({ kind }) => kind === "personal") ?? accounts[0];
  if (account === undefined) throw new Error("The person has no account.");
  return account;
}

type Permission = Parameters<typeof roleHas>[1];

export interface CurrentSession {
  user: User;
  accounts: readonly AccountOfUser[];
  /** The account that requests act for. */
  account: AccountOfUser;
  /** Whether the person is an operator of the service. */
  isOperator: boolean;
  /** What no mail tells the person, newest first. */
  notices: SessionResponse["notices"];
  /** Whether the person's role in the account has the permission. */
  can: (permission: Permission) => boolean;
}

/** Only for pages of persons who are signed in. */
export function useSession(): CurrentSession {
  const { data } = useSuspenseQuery(sessionQuery);
  const account = currentAccount(data.accounts, useStored(ACCOUNT, "tab"));
  const { user, accounts, isOperator, notices } = data;
  return { user, accounts, account, isOperator, notices, can: (permission) => roleHas(account.role, permission) };
}

export function switchAccount(id: string): void {
  store(ACCOUNT, id);
  store(ACCOUNT, id, "tab");
  actFor(id);
  // Their actions would change the other account.
  dismissToasts();
  forgetAccountData();
}

/** Takes an account to which the person no longer belongs out of the session, so that nothing offers it any more. */
export function forgetAccount(id: string): void {
  queryClient.setQueryData(
    sessionQuery.queryKey,
    (session) => session && { ...session, accounts: session.accounts.filter((account) => account.id !== id) },
  );
}

/** Forgets everything that was read for an account; pages read it again. */
function forgetAccountData(): void {
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "session", type: "inactive" });
  void queryClient.resetQueries({ predicate: ({ queryKey }) => queryKey[0] !== "session" });
}

/**
 * Forgets everything that was read in a session. A person who signs in again goes on with the same account. To be called
 * once the pages of the session are left: they would read it again.
 */
export function forgetSession(): void {
  hadNoSession = false;
  actFor(null);
  dismissToasts();
  queryClient.clear();
}
