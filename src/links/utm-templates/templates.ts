import { conflict, forbidden, limitReached, notFound } from "../../platform/http/errors.ts";
import { isId, newId } from "../../platform/lib/uuid.ts";
import { MAX_UTM_TEMPLATES_PER_ACCOUNT } from "../../limits.ts";
import type { CreateTemplate, UpdateTemplate, UtmTemplate } from "./contract.ts";
import * as store from "./store.ts";
import type { RequestContext } from "../../platform/auth/principal.ts";

/** Creates, changes and deletes UTM templates of the caller's account. */

export async function createTemplate(
  { db, now, principal }: RequestContext,
  { name, utm }: CreateTemplate,
): Promise<UtmTemplate> {
  const template: UtmTemplate = { id: newId(now), name, utm, createdAt: now, updatedAt: now };
  const outcome = await store.insertTemplate(db, principal.accountId, template);
  if (outcome === "name_taken") throw nameTaken(name);
  if (outcome === "limit_reached")
    throw limitReached("limit_reached", { resource: "utm_template", max: MAX_UTM_TEMPLATES_PER_ACCOUNT });
  return template;
}

export async function updateTemplate(
  { db, now, principal }: RequestContext,
  id: string,
  changes: UpdateTemplate,
): Promise<UtmTemplate> {
  if (!isId(id)) throw templateNotFound();
  const result = await store.updateTemplate(db, principal.accountId, id, changes, now);
  if (result.outcome === "name_taken") throw nameTaken(changes.name);
  if (result.outcome === "not_found") throw templateNotFound();
  if (result.outcome === "forbidden") throw templateForbidden();
  return store.toTemplate(result.row);
}

export async function deleteTemplate({ db, principal }: RequestContext, id: string): Promise<void> {
  if (!isId(id)) throw templateNotFound();
  const outcome = await store.deleteTemplate(db, principal.accountId, id);
  if (outcome === "not_found") throw templateNotFound();
  if (outcome === "forbidden") throw templateForbidden();
}

const templateNotFound = () => notFound("not_found", { resource: "utm_template" });
const templateForbidden = () => forbidden("of_another_account", { resource: "utm_template" });
const nameTaken = (name = "") => conflict("taken", { field: "name", value: name });
