import { lacksPermissions, requireRole } from "../../platform/auth/require-permissions.ts";
import { roleHas } from "../../platform/auth/roles.ts";
import { conflict, limitReached, notFound } from "../../platform/http/errors.ts";
import { isId, newId } from "../../platform/lib/uuid.ts";
import type { MemberContext } from "../../access/sessions/session.ts";
import type { CreateView, SavedView, UpdateView } from "./contract.ts";
import { MAX_OWN_VIEWS, MAX_SHARED_VIEWS } from "./limits.ts";
import * as store from "./store.ts";

/** Saves, changes and deletes views of the person, and with the permission to change links those that the members share. */

export async function createView(context: MemberContext, { shared = false, ...given }: CreateView): Promise<SavedView> {
  const { db, now, principal } = context;
  if (shared) requireRole(principal, "links:write");
  const view: SavedView = { id: newId(now), ...given, shared, createdAt: now, updatedAt: now };
  const outcome = await store.insertView(db, viewerOf(context), view);
  if (outcome === "name_taken") throw nameTaken(given.name);
  if (outcome === "limit_reached") throw tooMany(shared);
  return view;
}

export async function updateView(context: MemberContext, id: string, changes: UpdateView): Promise<SavedView> {
  const { db, now, principal } = context;
  if (!isId(id)) throw viewNotFound();
  if (changes.shared === true) requireRole(principal, "links:write");
  const result = await store.updateView(db, viewerOf(context), id, changes, { mayShare: mayShare(context), now });
  if (result.outcome === "not_found") throw viewNotFound();
  if (result.outcome === "name_taken") throw nameTaken(result.name);
  if (result.outcome === "limit_reached") throw tooMany(changes.shared === true);
  if (result.outcome === "forbidden") throw mayNotShare(context);
  return store.toView(result.row);
}

export async function deleteView(context: MemberContext, id: string): Promise<void> {
  if (!isId(id)) throw viewNotFound();
  const outcome = await store.deleteView(context.db, viewerOf(context), id, mayShare(context));
  if (outcome === "not_found") throw viewNotFound();
  if (outcome === "forbidden") throw mayNotShare(context);
}

export function viewerOf({ principal }: MemberContext): store.Viewer {
  return { accountId: principal.accountId, userId: principal.user.id };
}

const mayShare = ({ principal }: MemberContext): boolean => roleHas(principal.role, "links:write");

const viewNotFound = () => notFound("not_found", { resource: "view" });
const mayNotShare = ({ principal }: MemberContext) => lacksPermissions(principal, ["links:write"]);

const nameTaken = (name: string) => conflict("taken", { field: "name", value: name });

const tooMany = (shared: boolean) =>
  limitReached(
    "limit_reached",
    shared ? { resource: "shared_view", max: MAX_SHARED_VIEWS } : { resource: "view", max: MAX_OWN_VIEWS },
  );
