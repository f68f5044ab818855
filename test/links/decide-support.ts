import type { UpdateLink } from "../../src/links/contract.ts";
import { decide, type Accepted, type Change, type Facts } from "../../src/links/decide.ts";
import type { RefusedChange } from "../../src/links/refusal.ts";
import { toAllColumns, type LinkRow } from "../../src/links/store/row.ts";
import { SOME_ID, URL_OK } from "./support.ts";

export const ANONYMOUS = "anonymous.example";

export const ROW: LinkRow = {
  ...toAllColumns({ url: URL_OK, slug: "mine" }),
  id: SOME_ID,
  account_id: 1,
  domain: "",
  aliases: null,
  status: "active",
  visits: 0,
  password_hash: null,
  clicks: 0,
  last_clicked_at: 0,
  imported_clicks: 0,
  password_attacked_at: null,
  created_at: 1,
  updated_at: 7,
  case_sensitive: 0,
  verdict: 0,
  created_by_key: null,
  created_by_user: null,
};

const FACTS: Facts = {
  accountId: 1,
  anonymousHost: ANONYMOUS,
  domain: null,
  holder: null,
  verifiedHosts: new Set(),
  blocked: new Map(),
  passwordHash: undefined,
};

export const VERIFIED = { isVerified: true, caseSensitive: 0, hasNestedSlugs: false } as const;

export interface Given {
  row?: Partial<LinkRow> | null;
  facts?: Partial<Facts>;
  fields?: UpdateLink;
  change?: Partial<Omit<Change, "fields">>;
}

/** Decides a change of one link of the account 1 without aliases, at the domain of the service. */
export function run({ row = {}, facts = {}, fields = {}, change = {} }: Given): Accepted | RefusedChange {
  const others = { domain: undefined, tags: {}, columnsById: null, versions: null, ...change };
  return decide(row === null ? undefined : { ...ROW, ...row }, { fields, ...others }, { ...FACTS, ...facts });
}

export const namesOf = (prefix: string, count: number) => Array.from({ length: count }, (_, n) => `${prefix}-${n}`);
