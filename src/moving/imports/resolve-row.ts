import { fault, type FaultCode } from "../../platform/http/faults.ts";
import { faultsOf } from "../../platform/http/validation.ts";
import { MAX_ALIASES_PER_LINK, MAX_BODY_BYTES } from "../../limits.ts";
import { CreateLink } from "../../links/contract.ts";
import { toStoredDomain } from "../../links/domain.ts";
import { isReserved, isReservedEverywhere } from "../../links/slugs/reserved-slugs.ts";
import { NESTED_SLUGS_OFF, SLUG_RESERVED, toLinkRequest, type LinkRequest } from "../../links/validate.ts";
import { ANY_SLUG_PATTERN, isNested, SLUG_PATTERN, toSlugKey } from "../../platform/lib/slug.ts";
import type { Mapping } from "./formats/fields.ts";
import type { ImportRow } from "./formats/import-row.ts";
import type { Notice, RowFault } from "./formats/row-cells.ts";
import type { DomainChoice, ImportInput, ProblemKind } from "./input.ts";

/** A link that an import can create. */
export interface PlannedLink {
  line: number;
  request: LinkRequest<CreateLink>;
  /** As it is stored; '' is the service's own. */
  domain: string;
  isCaseSensitive: boolean;
  /** null: a random one. */
  slug: string | null;
  /** Whether the slug is reserved, so that only another one is possible. */
  isReserved: boolean;
  aliases: string[];
  createdAt: number | null;
  importedClicks: number;
}

export type ResolvedRow =
  | { outcome: "planned"; link: PlannedLink; notices: (Notice | "alias" | "foreign_domain")[] }
  /** Left out as the person chose, or refused. `code` is that of the first fault, or the kind of the problem. */
  | {
      outcome: "skipped" | "refused";
      kind: ProblemKind;
      code: FaultCode | ProblemKind;
      reason: string;
      example: string;
    };

export interface OwnDomain {
  isCaseSensitive: boolean;
  hasNestedSlugs: boolean;
}

export interface ResolveOptions {
  input: ImportInput;
  /** The column of each field. */
  mapping: Mapping;
  /** The verified domains of the account, as they are stored. */
  ownDomains: ReadonlyMap<string, OwnDomain>;
  baseUrl: string;
  env: Pick<Env, "ANONYMOUS_HOST">;
}

/** Decides what becomes of a row, as far as it can be known without the links that exist. */
export function resolveRow(row: ImportRow, options: ResolveOptions): ResolvedRow {
  const { choices, defaults } = options.input;
  const example = exampleOf(row);
  const domain = targetOf(row.host, options);
  if (domain === null) {
    const reason = `Skipped: the links of ${row.host} are not imported.`;
    return skip("foreign_domain", reason, example);
  }
  if (row.isPattern) {
    const reason = "Skipped: the slug is a pattern, which a link cannot have.";
    return skip("pattern", reason, example);
  }
  if (row.isDead && choices.dead === "skip") {
    const reason = "Skipped: the old service has deleted or banned the link.";
    return skip("dead", reason, example);
  }
  const fields = {
    ...row.input,
    ...(row.slug !== null && { slug: row.slug }),
    disabled: row.isDead || row.input.disabled,
    redirectStatus: row.input.redirectStatus ?? defaults.redirectStatus,
  };
  const parsed = CreateLink.safeParse(fields);
  const errors = [...row.faults, ...tooLarge(fields), ...(parsed.success ? [] : faultsOf(parsed.error))];
  if (!parsed.success || errors.length > 0) return refuse(errors, row, options);
  const request = toLinkRequest(parsed.data, domain, options);
  const others = request.errors.filter((error) => error !== SLUG_RESERVED);
  const isOff = options.ownDomains.get(domain)?.hasNestedSlugs === false;
  if (isOff && row.slug !== null && isNested(row.slug)) others.push(NESTED_SLUGS_OFF);
  // Another number at its end would leave it below the same reserved segment.
  if (request.errors.includes(SLUG_RESERVED) && row.slug !== null && isNested(row.slug)) others.push(SLUG_RESERVED);
  if (others.length > 0) return refuse(others, row, options);
  const isReservedSlug = request.errors.length > 0;
  if (isReservedSlug && choices.taken === "skip") {
    const reason = `Skipped: the slug ${row.slug} is reserved for the service.`;
    return { ...skip("taken", reason, example), code: SLUG_RESERVED.code };
  }
  const { aliases, hasLost } = aliasesOf(row, domain, options);
  const { line, slug, createdAt, importedClicks } = row;
  const notices: (Notice | "alias" | "foreign_domain")[] = [...row.notices];
  if (hasLost) notices.push("alias");
  if (isForeign(row.host, options)) notices.push("foreign_domain");
  const link = { line, request, domain, slug, isReserved: isReservedSlug, aliases, createdAt, importedClicks };
  return { outcome: "planned", link: { ...link, isCaseSensitive: isCaseSensitive(domain, options) }, notices };
}

/** What a person recognises a row by. */
export function exampleOf({ slug, host, input }: ImportRow): string {
  const shortUrl = slug === null ? null : host === null ? slug : `${host}/${slug}`;
  return shortUrl ?? input.url ?? "";
}

function skip(kind: ProblemKind, reason: string, example: string): ResolvedRow & { outcome: "skipped" | "refused" } {
  return { outcome: "skipped", kind, code: kind, reason, example };
}

function refuse(faults: readonly RowFault[], row: ImportRow, { mapping }: ResolveOptions): ResolvedRow {
  const reason = `Not imported: ${faults.map(({ path, message }) => `${path} ${message}`).join("; ")}.`;
  const code = faults[0]?.code ?? "invalid";
  const named = faults.find(({ problem }) => problem !== undefined);
  if (named?.problem !== undefined) {
    const { kind, text } = named.problem;
    const column = mapping[named.path as keyof Mapping];
    return { outcome: "refused", kind, code, reason, example: column === undefined ? text : `${column}: ${text}` };
  }
  const paths = new Set(faults.map(({ path }) => path));
  const kind = paths.has("url") ? "invalid_url" : paths.has("slug") ? "invalid_slug" : "invalid";
  const example = kind === "invalid_url" ? (row.input.url ?? "") : exampleOf(row);
  return { outcome: "refused", kind, code, reason, example };
}

function tooLarge(fields: object): RowFault[] {
  const bytes = new TextEncoder().encode(JSON.stringify(fields)).byteLength;
  return bytes > MAX_BODY_BYTES ? [fault("row", "too_many_bytes", { max: MAX_BODY_BYTES })] : [];
}

/** The host of a short URL as links store their domain; null: the host is unknown or another service's. */
function ownDomainOf(host: string | null, { ownDomains, baseUrl }: ResolveOptions): string | null {
  if (host === null) return null;
  const domain = host === new URL(baseUrl).host ? "" : toStoredDomain(host, baseUrl);
  return domain === "" || ownDomains.has(domain) ? domain : null;
}

function isForeign(host: string | null, options: ResolveOptions): boolean {
  return host !== null && ownDomainOf(host, options) === null;
}

/** What is chosen for the host alone. The names of hosts come from the file, and may be those of members of objects. */
function choiceOf(host: string | null, domains: ImportInput["choices"]["domains"]): DomainChoice | undefined {
  if (typeof domains === "string" || host === null || !Object.hasOwn(domains, host)) return undefined;
  return domains[host];
}

/** The domain that a link of the host gets, as it is stored; null: it is skipped. */
export function targetOf(host: string | null, options: ResolveOptions): string | null {
  const { choices, defaults } = options.input;
  const byHost = choiceOf(host, choices.domains);
  const own = byHost === undefined ? ownDomainOf(host, options) : null;
  if (own !== null || host === null) return own ?? defaults.domain;
  const general: DomainChoice = typeof choices.domains === "string" ? choices.domains : "default";
  const choice = byHost ?? general;
  if (choice === "skip") return null;
  return choice === "default" ? defaults.domain : toStoredDomain(choice, options.baseUrl);
}

/** The other slugs of a row that can be aliases of its link. */
function aliasesOf(row: ImportRow, domain: string, options: ResolveOptions): { aliases: string[]; hasLost: boolean } {
  if (row.slug === null) return { aliases: [], hasLost: row.aliases.length > 0 };
  const keyOf = (slug: string) => toSlugKey(slug, isCaseSensitive(domain, options));
  const hasNestedSlugs = options.ownDomains.get(domain)?.hasNestedSlugs === true;
  const seen = new Set([keyOf(row.slug)]);
  const wanted = row.aliases.filter(({ slug }) => !seen.has(keyOf(slug)) && seen.add(keyOf(slug)));
  const possible = wanted.filter(
    ({ host, slug }) =>
      (hasNestedSlugs ? ANY_SLUG_PATTERN : SLUG_PATTERN).test(slug) &&
      !isReservedEverywhere(slug) &&
      !(domain === "" && isReserved(slug)) &&
      targetOf(host, options) === domain,
  );
  const aliases = possible.map(({ slug }) => slug).slice(0, MAX_ALIASES_PER_LINK);
  return { aliases, hasLost: aliases.length < wanted.length };
}

function isCaseSensitive(domain: string, { ownDomains }: ResolveOptions): boolean {
  return ownDomains.get(domain)?.isCaseSensitive === true;
}
