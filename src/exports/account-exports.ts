import { requireConfirmed } from "../auth/require-confirmed.ts";
import { conflict, limitReached, notFound, rateLimited } from "../http/errors.ts";
import { isId } from "../lib/uuid.ts";
import { MAX_EXPORTS_PER_WINDOW, MAX_RUNNING_EXPORTS } from "../limits.ts";
import type { MemberContext } from "../people/sessions/session.ts";
import { toSeconds } from "../rate-limit/rate-limit.ts";
import { exporterOf } from "./client.ts";
import type { ExportState } from "./export.ts";

/** Starts an export of the account that the person acts for. */
export async function startExport({ env, now, principal, country, baseUrl }: MemberContext): Promise<ExportState> {
  requireConfirmed(principal, now);
  const { accountId, user } = principal;
  const request = { kind: "account", accountId, user: { id: user.id, email: user.email }, country, baseUrl } as const;
  const result = await exporterOf(env, accountId).start(request);
  if (result.outcome === "started") return result.state;
  if (result.outcome === "too_many_running")
    throw limitReached(`${MAX_RUNNING_EXPORTS} exports of this account are running. Wait until one of them is done.`);
  const seconds = toSeconds(result.waitMs);
  throw rateLimited(
    `This account started ${MAX_EXPORTS_PER_WINDOW} exports in the last hour, which is the maximum. Try again in ${seconds} seconds.`,
    seconds,
    { limit: MAX_EXPORTS_PER_WINDOW, remaining: 0 },
  );
}

/** Throws 404 for an id of another account, too. */
export async function getExport({ env, principal }: MemberContext, id: string): Promise<ExportState> {
  const found = isId(id) ? await exporterOf(env, principal.accountId).find(id) : null;
  if (found === null) throw notFound("There is no such export, or it has expired.");
  return found;
}

/** Returns the size of the file in bytes. Throws 409 while there is no file. */
export function requireFile({ status, size, error }: ExportState): number {
  if (status === "failed") throw conflict(`The export failed. ${error ?? ""}`);
  if (size === null) throw conflict("The export is not done yet. Read its status until it is.");
  return size;
}
