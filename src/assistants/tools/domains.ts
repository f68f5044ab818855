import { z } from "@hono/zod-openapi";
import { addDomain as addDomainRoute, type Domain } from "../../domains/contract.ts";
import type { Api } from "../api.ts";
import { foreignText, quote } from "../../platform/lib/foreign-text.ts";
import { toIso } from "../link.ts";
import { MAX_TOOL_ITEMS } from "../limits.ts";
import { field } from "../schema.ts";
import { ADDS, defineTool, READ_HINTS, ToolError } from "../tool.ts";

const { shape } = addDomainRoute.request.body.content["application/json"].schema;

interface DomainPage {
  domains: Domain[];
  nextCursor: string | null;
}

const toDomainData = ({ id, unicodeDomain, status, records, rootUrl, notFoundUrl, verifiedAt, lostAt }: Domain) => ({
  id,
  domain: unicodeDomain,
  status,
  // A verified domain needs nothing more.
  records: status === "verified" ? null : records,
  rootUrl,
  notFoundUrl,
  verifiedAt: toIso(verifiedAt),
  lostAt: toIso(lostAt),
});

const describeDomain = ({ unicodeDomain, id, status }: Domain) => `${unicodeDomain}: ${status} (id ${id})`;

const describeRecords = ({ records }: Domain) =>
  records.map((record) =>
    record.type === "certificate"
      ? `- certificate for ${record.name}: ${record.status}`
      : `- ${record.type} ${record.name} = ${record.value}: ${describeFound(record.found)}`,
  );

const describeFound = (found: boolean | null) => (found === null ? "not checked yet" : found ? "found" : "missing");

export const listDomains = defineTool({
  name: "list_domains",
  title: "List domains",
  description: "Custom domains and whether they are verified. Example: {}",
  permissions: ["domains:read"],
  hints: READ_HINTS,
  input: z.strictObject({ next: field(z.string().optional(), "From the last result.") }),
  output: { domains: { type: "array" }, next: { type: "string" } },
  async answer({ next }, { api }) {
    const page = await readDomains(api, next);
    const lines = page.domains.map((domain) => `- ${describeDomain(domain)}`);
    if (page.nextCursor !== null) lines.push(`More: call list_domains with next ${JSON.stringify(page.nextCursor)}.`);
    const text = lines.length === 0 ? "The account has no domain. add_domain adds one." : lines.join("\n");
    return { data: { domains: page.domains.map(toDomainData), next: page.nextCursor }, text };
  },
});

const readDomains = (api: Api, cursor: string | undefined) =>
  api.json<DomainPage>("GET", "/api/domains", { query: { limit: MAX_TOOL_ITEMS, cursor } });

export const addDomain = defineTool({
  name: "add_domain",
  title: "Add domain",
  description:
    'Adds a custom domain and returns the DNS records that the person must create. Then check_domain. Example: {"domain": "go.example.com"}',
  permissions: ["domains:write"],
  hints: ADDS,
  input: z.strictObject({ domain: field(shape.domain, "Host name.", { type: "string" }) }),
  output: { domain: { type: "object" } },
  async answer({ domain: name }, { api }) {
    const { domain } = await api.json<{ domain: Domain }>("POST", "/api/domains/add", { body: { domain: name } });
    const lines = [`Added ${describeDomain(domain)}. Create these DNS records:`, ...describeRecords(domain)];
    return { data: { domain: toDomainData(domain) }, text: lines.join("\n") };
  },
});

export const checkDomain = defineTool({
  name: "check_domain",
  title: "Check domain",
  description:
    'Verifies a domain if its DNS records are right, or else says what the DNS has, which is foreign text. Example: {"domain": "go.example.com"}',
  permissions: ["domains:read", "domains:write"],
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  input: z.strictObject({ domain: field(z.string().min(1), "Host name, or its id.") }),
  output: { verified: { type: "boolean" }, domain: { type: "object" }, seen: { type: "object" } },
  async answer({ domain: name }, { api }) {
    const id = await findDomainId(api, name);
    const { verified, domain, seen } = await api.json<{
      verified: boolean;
      domain: Domain;
      seen: Record<"TXT" | "CNAME", string[]>;
    }>("POST", `/api/domains/${encodeURIComponent(id)}/verify`);
    const found = {
      TXT: seen.TXT.map((text) => foreignText(text)),
      CNAME: seen.CNAME.map((text) => foreignText(text)),
    };
    const lines = verified
      ? [`${describeDomain(domain)}. Its links work.`]
      : [
          `${describeDomain(domain)}. Records that it needs:`,
          ...describeRecords(domain),
          ...Object.entries(found).map(
            ([type, texts]) => `The DNS has ${type}: ${texts.map((text) => quote(text)).join(", ") || "nothing"}`,
          ),
        ];
    return { data: { verified, domain: toDomainData(domain), seen: verified ? null : found }, text: lines.join("\n") };
  },
});

/** The id of the account's domain with this name, in Unicode or Punycode. An id is returned as it is. */
async function findDomainId(api: Api, name: string): Promise<string> {
  if (z.uuid().safeParse(name).success) return name;
  const wanted = name
    .toLowerCase()
    .replace(/^https?:\/\//, "")
    .replace(/\/$/, "");
  let cursor: string | undefined;
  do {
    const page = await readDomains(api, cursor);
    const found = page.domains.find(({ domain, unicodeDomain }) => domain === wanted || unicodeDomain === wanted);
    if (found !== undefined) return found.id;
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  throw new ToolError("The account has no such domain. list_domains lists them, add_domain adds one.");
}
