import { env } from "cloudflare:workers";
import { newId } from "../../src/platform/lib/uuid.ts";
import { createLink } from "./api.ts";

interface DomainFields {
  status?: "pending" | "verified";
  root_url?: string;
  not_found_url?: string;
  apple_app_site_association?: string;
  asset_links?: string;
  case_sensitive?: 0 | 1;
  brand_name?: string;
  brand_logo?: string;
  brand_color?: string;
  path_forwarding?: 0 | 1;
  nested_slugs?: 0 | 1;
  updated_at?: number;
}

/** Inserts a domain, by default a verified one. Returns its id. */
export async function insertDomain(accountId: number, domain: string, fields: DomainFields = {}): Promise<string> {
  const id = newId(Date.now());
  const row = {
    id,
    account_id: accountId,
    domain,
    token: "token",
    status: "verified",
    created_at: Date.now(),
    updated_at: Date.now(),
    ...fields,
  };
  const names = Object.keys(row);
  await env.DB.prepare(
    `INSERT INTO domains (${names.join(", ")}) VALUES (${names.map((_, index) => `?${index + 1}`).join(", ")})`,
  )
    .bind(...Object.values(row))
    .run();
  return id;
}

/** A link on a custom domain. */
export async function createLinkAt(domain: string, key: string, fields: { slug: string; [name: string]: unknown }) {
  const { slug, ...others } = fields;
  const link = await createLink(key, others);
  await env.DB.prepare(
    `UPDATE links SET domain = ?1, slug = ?2, case_sensitive = coalesce((SELECT d.case_sensitive FROM domains d
       WHERE d.domain = ?1 AND d.account_id = links.account_id), 0) WHERE id = ?3`,
  )
    .bind(domain, slug, link.id)
    .run();
  return { ...link, domain, slug };
}

/** Moves the domain to another account, as if that account had verified it. */
export async function handOver(domain: string, accountId: number, fields: DomainFields = {}): Promise<void> {
  await env.DB.prepare("DELETE FROM domains WHERE domain = ?1").bind(domain).run();
  await insertDomain(accountId, domain, fields);
}
