import { queryOptions } from "@tanstack/react-query";
import type { Takedown, OperatorEntry } from "#src/safety/takedowns/contract.ts";
import { MAX_DISMISSED_REPORTS } from "#src/safety/limits.ts";
import type { Appeal } from "#src/safety/appeals/contract.ts";
import type { Report } from "#src/safety/reports/contract.ts";
import type { CreateScreeningRule, ScreeningRule } from "#src/safety/screening/contract.ts";
import type { FoundAccount, FoundHost, FoundLink } from "#src/safety/operators/search/contract.ts";
import type { Status } from "#src/safety/operators/status/contract.ts";
import { call } from "../../api/client.ts";
import { readAgain } from "#dashboard/api/query-client.ts";
import { useList, type Listed } from "../settings/queries.ts";
import type { State } from "./admin-list.tsx";
import type { Wanted } from "./finder.tsx";

/** An appeal with its takedown, as its list has it. */
export interface ListedAppeal {
  takedown: Takedown;
  appeal: Appeal;
}

/** What an operator gives for a takedown. */
export interface Imposed {
  kind: Takedown["kind"];
  reason: string;
  statement?: string;
  legal?: boolean;
}

export const useReports = (state: State): Listed<Report> =>
  useList<Report>(["admin", "reports"], "/api/admin/reports", "reports", {
    query: { state, limit: MAX_DISMISSED_REPORTS },
  });

export const useAppeals = (state: State): Listed<ListedAppeal> =>
  useList<ListedAppeal>(["admin", "appeals"], "/api/admin/appeals", "appeals", { query: { state } });

export const useTakedowns = (): Listed<Takedown> =>
  useList<Takedown>(["admin", "takedowns"], "/api/admin/takedowns", "takedowns");

export const useRecord = (): Listed<OperatorEntry> =>
  useList<OperatorEntry>(["admin", "record"], "/api/admin/audit", "entries", { query: { limit: 50 } });

export const useFoundAccounts = (search: string | undefined): Listed<FoundAccount> =>
  useList<FoundAccount>(["admin", "accounts"], "/api/admin/accounts", "accounts", { query: { search } });

export const useFoundLinks = ({ search, account }: Wanted): Listed<FoundLink> =>
  useList<FoundLink>(["admin", "links"], "/api/admin/links", "links", { query: { search, accountId: account } });

export const useFoundHosts = (search: string | undefined): Listed<FoundHost> =>
  useList<FoundHost>(["admin", "hosts"], "/api/admin/hosts", "hosts", { query: { search } });

export const useRules = (): Listed<ScreeningRule> =>
  useList<ScreeningRule>(["admin", "screening"], "/api/admin/screening", "rules");

export const statusQuery = queryOptions({
  queryKey: ["admin", "status"],
  queryFn: async ({ signal }) => (await call<{ status: Status }>("GET", "/api/admin/status", { signal })).status,
  refetchInterval: 30_000,
});

/** Each change bears on several lists. */
async function change(method: "POST" | "DELETE", path: string, body?: object): Promise<void> {
  await call(method, path, body === undefined ? {} : { body });
  await readAgain("admin");
}

export const dismissReport = (id: string) => change("POST", `/api/admin/reports/${id}/decision`, { action: "dismiss" });

/** A call takes a bounded number. */
export async function dismissReports(ids: readonly string[]): Promise<void> {
  try {
    for (let start = 0; start < ids.length; start += MAX_DISMISSED_REPORTS)
      await call("POST", "/api/admin/reports/dismissals", {
        body: { ids: ids.slice(start, start + MAX_DISMISSED_REPORTS) },
      });
  } finally {
    // Once for all calls: each list has a read for each of its pages.
    await readAgain("admin");
  }
}

export const takeDownReported = (id: string, imposed: Imposed) =>
  change("POST", `/api/admin/reports/${id}/decision`, { action: "take_down", ...imposed });

export const takeDown = (value: string, imposed: Imposed) =>
  change("POST", "/api/admin/takedowns", { value, ...imposed });

export const inviteOwner = (name: string, email: string) => change("POST", "/api/admin/accounts", { name, email });

export const reverseTakedown = (id: string) => change("DELETE", `/api/admin/takedowns/${id}`);

export const createRule = (rule: CreateScreeningRule) => change("POST", "/api/admin/screening", rule);

export const deleteRule = (id: string) => change("DELETE", `/api/admin/screening/${id}`);

export const decideAppeal = (id: string, action: "uphold" | "reverse", answer: string) =>
  change("POST", `/api/admin/appeals/${id}/decision`, { action, ...(answer !== "" && { answer }) });
