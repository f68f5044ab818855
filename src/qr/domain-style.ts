import { prepareChange } from "../access/audit/change.ts";
import type { RequestContext } from "../platform/auth/principal.ts";
import { accessChanged } from "../platform/auth/require-permissions.ts";
import { QR_PARAMETER } from "../platform/lib/qr-parameter.ts";
import { domainNotFound, getDomainRow } from "../domains/get-domain.ts";
import { withPaths } from "../platform/http/errors.ts";
import type { LinkRow } from "../links/store/row.ts";
import { makeCode } from "./code.ts";
import type { QrOptions } from "./contract.ts";
import type { QrStyle } from "./domain-style-contract.ts";
import * as store from "./store.ts";

const parse = (json: string | null): QrStyle | null => (json === null ? null : (JSON.parse(json) as QrStyle));

export async function getDomainStyle(context: RequestContext, id: string): Promise<QrStyle | null> {
  const { account_id: accountId, domain } = await getDomainRow(context, id);
  return readDomainStyle(context.db, accountId, domain);
}

/** Replaces the style of the domain; null: none. Throws a 400 for one in which no code can be drawn. */
export async function setDomainStyle(context: RequestContext, id: string, style: QrStyle | null): Promise<void> {
  const { domain } = await getDomainRow(context, id);
  if (style !== null) refuseBadStyle(domain, style);
  const change = prepareChange(context, "domains:write");
  const outcome = await store.updateStyle(context.db, change, id, style === null ? null : JSON.stringify(style));
  if (outcome === "demoted") throw accessChanged(context.principal);
  if (outcome === null) throw domainNotFound();
}

/** Draws the code of a short URL of usual length. */
function refuseBadStyle(domain: string, style: QrStyle): void {
  try {
    makeCode(`https://${domain}/usual-slug?${QR_PARAMETER}`, style, "svg");
  } catch (error) {
    throw withPaths(error, (path) => `qrStyle.${path}`);
  }
}

/** The style of the account's domain with this name; null: it has none, or there is no such domain. */
export async function readDomainStyle(db: D1Database, accountId: number, domain: string): Promise<QrStyle | null> {
  return parse(await store.findStyle(db, accountId, domain));
}

/** The styles of the account's domains that have one, by the names of the domains. */
export async function readDomainStyles(db: D1Database, accountId: number): Promise<Map<string, QrStyle>> {
  const rows = await store.listStyles(db, accountId);
  return new Map(rows.map(({ domain, qr_style }) => [domain, JSON.parse(qr_style) as QrStyle]));
}

/** The options, and those of the style of the link's domain where none were given. */
export async function withDomainStyle(
  db: D1Database,
  link: Pick<LinkRow, "account_id" | "domain">,
  options: QrOptions,
): Promise<QrOptions> {
  if (link.account_id === null || link.domain === "") return options;
  return { ...(await readDomainStyle(db, link.account_id, link.domain)), ...options };
}
