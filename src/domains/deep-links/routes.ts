import type { RouteHandler } from "@hono/zod-openapi";
import { requireKey } from "../../access/guards/api-guards.ts";
import { route } from "../../access/guards/route.ts";
import type { AuthEnv } from "../../platform/auth/principal.ts";
import { changeDomain } from "../update.ts";
import { getDomainRow } from "../get-domain.ts";
import type { DomainRow } from "../store/row.ts";
import { readIfMatch, setETag } from "../../platform/http/if-match.ts";
import { updateLink } from "../../links/update.ts";
import { getLinkRow } from "../../links/get-link.ts";
import type { LinkRow } from "../../links/store/row.ts";
import * as contract from "./contract.ts";

const getLinkDeepLinks: RouteHandler<typeof contract.getLinkDeepLinks, AuthEnv> = async (c) => {
  const row = await getLinkRow(c.get("context"), c.req.valid("param").id);
  setETag(c, row.updated_at);
  return c.json({ deepLinks: ofLink(row) }, 200);
};

const updateLinkDeepLinks: RouteHandler<typeof contract.updateLinkDeepLinks, AuthEnv> = async (c) => {
  const versions = readIfMatch(c.req.valid("header")["if-match"]);
  const row = await updateLink(c.get("context"), c.req.valid("param").id, c.req.valid("json"), versions);
  setETag(c, row.updated_at);
  return c.json({ deepLinks: ofLink(row) }, 200);
};

const getDomainDeepLinks: RouteHandler<typeof contract.getDomainDeepLinks, AuthEnv> = async (c) => {
  const row = await getDomainRow(c.get("context"), c.req.valid("param").id);
  return c.json({ deepLinks: ofDomain(row) }, 200);
};

const updateDomainDeepLinks: RouteHandler<typeof contract.updateDomainDeepLinks, AuthEnv> = async (c) => {
  const row = await changeDomain(c.get("context"), c.req.valid("param").id, c.req.valid("json"));
  return c.json({ deepLinks: ofDomain(row) }, 200);
};

function ofLink({ id, ios, android }: LinkRow) {
  return { linkId: id, ios, android };
}

function ofDomain(row: DomainRow): contract.DomainDeepLinks {
  const { id, domain, apple_app_site_association: apple, asset_links: google } = row;
  return {
    domainId: id,
    domain,
    appleAppSiteAssociation: JSON.parse(apple ?? "null") as contract.DomainDeepLinks["appleAppSiteAssociation"],
    assetLinks: JSON.parse(google ?? "null") as contract.DomainDeepLinks["assetLinks"],
  };
}

export const ROUTES = [
  route(contract.getLinkDeepLinks, requireKey("links:read"), 60, getLinkDeepLinks),
  route(contract.updateLinkDeepLinks, requireKey("links:write"), 10, updateLinkDeepLinks),
  route(contract.getDomainDeepLinks, requireKey("domains:read"), 60, getDomainDeepLinks),
  route(contract.updateDomainDeepLinks, requireKey("domains:write"), 10, updateDomainDeepLinks),
];
