import type { RouteHandler } from "@hono/zod-openapi";
import type { AuthEnv } from "../auth/principal.ts";
import { forbidden, notFound } from "../http/errors.ts";
import { isId } from "../lib/uuid.ts";
import { changeLink } from "../links/change.ts";
import { getOwnLink } from "../links/own.ts";
import type { LinkRow } from "../links/row.ts";
import { publishDomain } from "../redirect/resolve.ts";
import type * as contract from "./contract.ts";
import { findDomain, updateFiles, type OwnedDomainRow } from "./store.ts";

export const getLinkDeepLinks: RouteHandler<typeof contract.getLinkDeepLinks, AuthEnv> = async (c) => {
  const row = await getOwnLink(c.env.DB, c.get("principal").accountId, c.req.valid("param").id);
  return c.json({ deepLinks: ofLink(row) }, 200);
};

export const updateLinkDeepLinks: RouteHandler<typeof contract.updateLinkDeepLinks, AuthEnv> = async (c) => {
  const row = await changeLink(c, c.req.valid("param").id, c.req.valid("json"));
  return c.json({ deepLinks: ofLink(row) }, 200);
};

export const getDomainDeepLinks: RouteHandler<typeof contract.getDomainDeepLinks, AuthEnv> = async (c) => {
  const { id } = c.req.valid("param");
  const row = isId(id) ? await findDomain(c.env.DB, id) : null;
  return c.json({ deepLinks: ofDomain(own(row, c.get("principal").accountId)) }, 200);
};

export const updateDomainDeepLinks: RouteHandler<typeof contract.updateDomainDeepLinks, AuthEnv> = async (c) => {
  const { id } = c.req.valid("param");
  const { appleAppSiteAssociation, assetLinks } = c.req.valid("json");
  const { accountId } = c.get("principal");
  const now = c.get("now");
  const changes = { apple_app_site_association: toText(appleAppSiteAssociation), asset_links: toText(assetLinks) };
  const row = own(isId(id) ? await updateFiles(c.env.DB, accountId, id, changes, now) : null, accountId);
  if (row.status === "verified") await publishDomain(row, now);
  return c.json({ deepLinks: ofDomain(row) }, 200);
};

function ofLink({ id, ios, android }: LinkRow) {
  return { linkId: id, ios, android };
}

function ofDomain(row: OwnedDomainRow): contract.DomainDeepLinks {
  const { id, domain, apple_app_site_association: apple, asset_links: google } = row;
  return {
    domainId: id,
    domain,
    appleAppSiteAssociation: JSON.parse(apple ?? "null") as contract.DomainDeepLinks["appleAppSiteAssociation"],
    assetLinks: JSON.parse(google ?? "null") as contract.DomainDeepLinks["assetLinks"],
  };
}

function own(row: OwnedDomainRow | null, accountId: number): OwnedDomainRow {
  if (row === null) throw notFound("There is no such domain.");
  if (row.account_id !== accountId) throw forbidden("This domain belongs to another account.");
  return row;
}

/** As it is stored; undefined stays so, which changes nothing. */
function toText(file: object | null | undefined): string | null | undefined {
  return file == null ? file : JSON.stringify(file);
}
