import type { Permission } from "../../platform/auth/permissions.ts";
import { requireConfirmedFor } from "../../platform/auth/confirmed-operations.ts";
import { lacksPermissions } from "../../platform/auth/require-permissions.ts";
import { conflict, forbidden, notFound } from "../../platform/http/errors.ts";
import { isId } from "../../platform/lib/uuid.ts";
import type { ApiKey } from "./contract.ts";
import { prepareKeyChange } from "./key-change.ts";
import * as store from "./store/keys.ts";
import type { RequestContext } from "../../platform/auth/principal.ts";

interface KeyChanges {
  name?: string | undefined;
  permissions?: readonly Permission[] | undefined;
}

/** Changes the name and the permissions of a key of the caller's account. */
export async function changeKey(context: RequestContext, id: string, changes: KeyChanges): Promise<ApiKey> {
  const { db, now, principal } = context;
  const found = isId(id) ? await store.findKey(db, id, now) : null;
  if (found === null) throw keyNotFound();
  if (found.accountId !== principal.accountId) throw forbidden("of_another_account", { resource: "key" });
  const { key } = found;
  if (key.status === "revoked") throw conflict("key_revoked");
  const added = changes.permissions?.filter((permission) => !key.permissions.includes(permission)) ?? [];
  if (added.length > 0) requireWidening(context, key, added);
  const change = await prepareKeyChange(context, {
    action: "key.update",
    keyId: id,
    gives: added.length > 0,
    after: changes,
  });
  const update = { id, former: found.permissions, ...changes };
  const changed = await store.updateKey(db, update, now, change);
  if (changed === null) throw conflict("changed_meanwhile", { resource: "key" });
  change.report();
  return changed;
}

/** Throws 403 unless the caller could create a key with these permissions that lives as long. */
function requireWidening(context: RequestContext, key: ApiKey, added: readonly Permission[]): void {
  requireConfirmedFor("PATCH /api/keys/:id", context);
  const { principal } = context;
  const excess = added.filter((permission) => !principal.permissions.includes(permission));
  if (excess.length > 0) throw lacksPermissions(principal, excess);
  const latest = principal.type === "key" ? principal.expiresAt : null;
  if (latest !== null && (key.expiresAt === null || key.expiresAt > latest)) throw forbidden("expires_after_caller");
}

export const keyNotFound = () => notFound("not_found", { resource: "key" });
