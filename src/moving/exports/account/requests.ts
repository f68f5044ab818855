import { getJob, startJob } from "../../../jobs/requests.ts";
import type { MemberContext } from "../../../access/sessions/session.ts";
import type { AccountExport } from "./contract.ts";
import { toExport, type ExportInput } from "../export.ts";
import { ACCOUNT_EXPORTS } from "../kinds.ts";

/** Starts an export of the account that the person acts for. */
export async function startAccountExport(context: MemberContext): Promise<AccountExport> {
  const { principal, country, session } = context;
  const { id, confirmedAt } = session;
  const subject = {
    kind: "account",
    format: "zip",
    email: principal.user.email,
    session: { id, confirmedAt },
  } as const;
  const input: ExportInput = { subject, country };
  return toAccountExport(await startJob(context, ACCOUNT_EXPORTS, { input: JSON.stringify(input) }));
}

/** Throws 403 for an export of another account. */
export async function getAccountExport(context: MemberContext, id: string): Promise<AccountExport> {
  return toAccountExport(await getJob(context, ACCOUNT_EXPORTS, id));
}

function toAccountExport(state: Parameters<typeof toExport>[0]): AccountExport {
  const { kind: _, format: __, ...fields } = toExport(state);
  return fields;
}
