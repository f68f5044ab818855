import { AuditEntryBody } from "../../../identity/account/contract.ts";
import { toAuditEntry } from "../../../identity/account/audit-entry.ts";
import { listAuditEntries } from "../../../access/audit/store/entries.ts";
import { CLICK_COLUMNS } from "../../../clicks/analytics/csv.ts";
import { queryClickLog } from "../../../click-log/log/stub.ts";
import type { ExportCursor, ExportQuery } from "../../../click-log/log/exports.ts";
import type { StoredCount } from "../../../click-log/log/rollup-pages.ts";
import { toClickRecord, type ClickRecord } from "../../../click-log/click-record.ts";
import { Domain } from "../../../domains/contract.ts";
import { listDomains } from "../../../domains/store/read.ts";
import { toDomain } from "../../../domains/store/row.ts";
import type { Page } from "../../../platform/http/pagination.ts";
import { ApiKey } from "../../../identity/keys/contract.ts";
import { listKeys } from "../../../identity/keys/store/keys.ts";
import type { CsvColumns } from "../../../platform/lib/csv.ts";
import { firstIdAt } from "../../../platform/lib/uuid.ts";
import { Note } from "../../../clicks/notes/contract.ts";
import { listNotes, toNote } from "../../../clicks/notes/store.ts";
import { SharedPage } from "../../../clicks/shared-pages/contract.ts";
import { describeSharedPage } from "../../../clicks/shared-pages/serialize.ts";
import { listSharedPages } from "../../../clicks/shared-pages/store/pages.ts";
import { readDomainStyles } from "../../../qr/domain-style.ts";
import type { QrStyle } from "../../../qr/domain-style-contract.ts";
import { MemberBody } from "../../../identity/teams/schemas.ts";
import { listMembers } from "../../../identity/teams/store/members.ts";
import { UtmTemplate } from "../../../links/utm-templates/contract.ts";
import { listTemplates, toTemplate } from "../../../links/utm-templates/store.ts";
import { Webhook } from "../../../webhooks/contract.ts";
import { toWebhook } from "../../../webhooks/store/row.ts";
import { listWebhooks } from "../../../webhooks/store/read.ts";
import { clickSource } from "../click-source.ts";
import { ALL_LINKS } from "../../../links/list-filter.ts";
import { linkSource } from "../link-source.ts";
import { fieldColumns, toPage, type SourceContext, type TableSource } from "../source.ts";
import { EXPORT_PAGE_RECORDS } from "../limits.ts";

// Nothing here may be a secret: a stranger who finds the file must not be able to use the service or to take over a domain.

const links = linkSource(ALL_LINKS);

const clicks = clickSource(({ createdAt }) => clicksUntil(createdAt));

type Fields = Omit<ClickRecord, "id" | "clickedAt" | "target">;

/** Clicks that are no longer stored one by one. The values of totals are null. */
type ClickCount = Pick<StoredCount, "countedBy" | "startsAt" | "clicks" | "unique"> &
  Omit<{ [Field in keyof Fields]: Fields[Field] | null }, "geo" | "utm"> &
  Pick<Fields, "geo" | "utm"> & {
    target: { [Field in keyof ClickRecord["target"]]: ClickRecord["target"][Field] | null };
  };

const { id: _id, clickedAt: _clickedAt, ...profileColumns } = CLICK_COLUMNS;

const clickCounts: TableSource<ClickCount> = {
  name: "click-counts",
  columns: {
    ...fieldColumns<ClickCount>(["countedBy", "startsAt", "clicks", "unique"]),
    ...(profileColumns as unknown as CsvColumns<ClickCount>),
  },
  async read(context, after) {
    const { counts, next } = await queryClickLog(context, (log) => log.readRollups(after as ExportCursor | null));
    return { waitMs: 0, records: counts.map(toClickCount), next };
  },
};

function toClickCount({ countedBy, startsAt, clicks, unique, linkId, profile, bot }: StoredCount): ClickCount {
  const counts = { countedBy, startsAt, clicks, unique };
  const {
    id: _,
    clickedAt: __,
    ...record
  } = toClickRecord({ id: "", linkId, clickedAt: startsAt, profile: profile ?? "" });
  return profile === null ? { ...counts, ...record, ...NO_VALUES, bot } : { ...counts, ...record };
}

/** What an empty profile does not have as null. */
const NO_VALUES = {
  device: null,
  browser: null,
  os: null,
  trigger: null,
  target: { kind: null, ruleId: null, url: null },
};

/** All single clicks until the time that are stored, crawlers included. */
export function clicksUntil(time: number): ExportQuery {
  return { links: null, start: 0, end: time + 1, filters: {}, bots: "include", withExpired: true };
}

const utmTemplates = listSource<UtmTemplate>(
  "utm-templates",
  Object.keys(UtmTemplate.shape),
  async ({ db, principal }, page) => (await listTemplates(db, principal.accountId, page)).map(toTemplate),
);

const notes = listSource<Note>("notes", Object.keys(Note.shape), async ({ db, principal }, page) =>
  (await listNotes(db, principal.accountId, page)).map(toNote),
);

/** Without `records`, which include the value that proves the ownership. `qrStyle`: of the QR codes of its links. */
const domains = listSource<Omit<Domain, "records"> & { qrStyle: QrStyle | null }>(
  "domains",
  [...Object.keys(Domain.shape).filter((name) => name !== "records"), "qrStyle"],
  async ({ db, principal, baseUrl }, page) => {
    const [rows, styles] = await Promise.all([
      listDomains(db, principal.accountId, page),
      readDomainStyles(db, principal.accountId),
    ]);
    return rows.map((row) => {
      const { records: _, ...domain } = toDomain(row, baseUrl);
      return Object.assign(domain, { qrStyle: styles.get(domain.domain) ?? null });
    });
  },
);

/** Without `secret`: the API shows a part of it. */
const webhooks = listSource<Omit<Webhook, "secret">>(
  "webhooks",
  Object.keys(Webhook.shape).filter((name) => name !== "secret"),
  async ({ db, principal }, page) =>
    (await listWebhooks(db, principal.accountId, page)).map((row) => {
      const { secret: _, ...webhook } = toWebhook(row);
      return webhook;
    }),
);

/** Without `url`, which opens the page. */
const sharedPages = listSource<Omit<SharedPage, "url">>(
  "shared-pages",
  Object.keys(SharedPage.shape).filter((name) => name !== "url"),
  async ({ db, principal }, page) => (await listSharedPages(db, principal.accountId, page)).map(describeSharedPage),
);

const keys = listSource<ApiKey>("keys", Object.keys(ApiKey.shape), ({ db, principal, now }, page) =>
  listKeys(db, principal.accountId, page, now),
);

const audit = listSource<AuditEntryBody>("audit", Object.keys(AuditEntryBody.shape), async ({ db, principal }, page) =>
  (await listAuditEntries(db, principal.accountId, page)).map(toAuditEntry),
);

const members: TableSource<MemberBody> = {
  name: "members",
  columns: fieldColumns(Object.keys(MemberBody.shape)),
  async read({ db, principal }, after) {
    const page = { ...FIRST_PAGE, after: after as string | null };
    const found = await listMembers(db, principal.accountId, page);
    return toPage(
      found,
      EXPORT_PAGE_RECORDS,
      ({ userId }) => userId,
      (member) => member,
    );
  },
};

/** The records of an account, in the order of their files. */
export const ACCOUNT_SOURCES = [
  links,
  clicks,
  clickCounts,
  utmTemplates,
  notes,
  domains,
  webhooks,
  sharedPages,
  keys,
  members,
  audit,
] as unknown as TableSource<object>[];

const FIRST_PAGE: Page = { limit: EXPORT_PAGE_RECORDS, offset: 0, after: null, afterValue: null };

/** A source that is read by a list, newest first, whose ids are in the order of time. */
function listSource<T extends { id: string }>(
  name: string,
  fields: readonly string[],
  list: (context: SourceContext, page: Page) => Promise<T[]>,
): TableSource<T> {
  return {
    name,
    columns: fieldColumns(fields),
    async read(context, after) {
      const first = firstIdAt(context.createdAt + 1);
      const found = await list(context, { ...FIRST_PAGE, after: (after as string | null) ?? first });
      return toPage(
        found,
        EXPORT_PAGE_RECORDS,
        ({ id }) => id,
        (record) => record,
      );
    },
  };
}
