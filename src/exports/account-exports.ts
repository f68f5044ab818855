import { requireConfirmed } from "../auth/require-confirmed.ts";
import type { MemberContext } from "../sessions/session.ts";
import type { AccountExport } from "./contract.ts";
import { exporterOf } from "./client.ts";
import type { ExportState } from "./export.ts";
import { requireExport, requireStarted } from "./outcome.ts";

/** Starts an export of the account that the person acts for. */
export async function startAccountExport({
  env,
  now,
  principal,
  country,
  baseUrl,
}: MemberContext): Promise<AccountExport> {
  requireConfirmed(principal, now);
  const { accountId, user } = principal;
  const starter = { type: "user", id: user.id, email: user.email } as const;
  const request = { kind: "account", format: "zip", accountId, starter, country, baseUrl } as const;
  return toAccountExport(requireStarted("account", await exporterOf(env, accountId, "account").start(request)));
}

/** Throws 404 for an id of another account, too. */
export async function getAccountExport({ env, principal }: MemberContext, id: string): Promise<AccountExport> {
  return toAccountExport(await requireExport(exporterOf(env, principal.accountId, "account"), id));
}

function toAccountExport(state: ExportState): AccountExport {
  const { kind: _, format: __, ...fields } = state;
  return fields;
}
