/** The tables with what an account has in its database, and what a move does with their rows. */

export interface MovedTable {
  name: string;
  /** The columns of the primary key. */
  key: readonly string[];
  /** SQL for the account of a row, `NEW`, `OLD` or a table. */
  account: (row: string) => string;
  /** SQL that holds for the rows of the account ?1. */
  isOwn: string;
  /** The columns in whose order pages are read: those of an index. */
  order: readonly string[];
  /** SQL for the keys of a page of links, which have no index with all of an account's. `after` is a condition. */
  pageOfKeys?: (after: string, limit: number) => string;
  /** SQL for rows of the account ?2 in the target that are in the way of the rows ?1, a JSON array. Their own changes bring them back. */
  inTheWay?: readonly string[];
  /** Whether a row of another account with the same key stays in the target. */
  yields?: true;
  /** SQL that finds the rows of the account ?1 without an order, if `isOwn` reads those of others. */
  found?: string;
  /** Rows of other tables that go with these. `isWith` is SQL that holds for those of the keys ?1, a JSON array of arrays. */
  companions?: readonly Companion[];
}

export interface Companion {
  name: string;
  key: readonly string[];
  isWith: string;
}

const ofAccount = (row: string) => `${row}.account_id`;
const IS_OWN = "account_id = ?1";
export const WEBHOOKS = "(SELECT id FROM webhooks WHERE account_id = ?1)";

const plain = (name: string, key: readonly string[], order = key): MovedTable => ({
  name,
  key,
  account: ofAccount,
  isOwn: IS_OWN,
  order,
});

const ofWebhooks = (name: string, key: readonly string[], order = key): MovedTable => ({
  ...plain(name, key, order),
  account: (row) => `(SELECT account_id FROM webhooks WHERE id = ${row}.${webhookColumn(name)})`,
  isOwn: `${webhookColumn(name)} IN ${WEBHOOKS}`,
});

const webhookColumn = (table: string) => (table === "listener_events" ? "listener_id" : "webhook_id");

const IS_LISTED = "(SELECT k.value ->> 0 FROM json_each(?1) k)";

const DESTINATIONS: Companion = {
  name: "destinations",
  key: ["link_id"],
  isWith: `link_id IN (SELECT id FROM links WHERE seq IN ${IS_LISTED} UNION ALL SELECT id FROM deleted_links WHERE seq IN ${IS_LISTED})`,
};

const EVENT_BODIES: Companion = { name: "event_bodies", key: ["event_id"], isWith: `event_id IN ${IS_LISTED}` };

/** The links of each index by account. */
const LINK_INDEXES = ["clicked AND clicks <> 0", "unclicked AND clicks = 0"].flatMap((index) => {
  const [name = "", condition = ""] = index.split(/ (AND .*)/);
  return [0, 1].map((archived) => ({ name, condition: `archived = ${archived} ${condition}` }));
});

/** Copied in pages while the account is used, and then as their changes say. */
export const COPIED_TABLES: readonly MovedTable[] = [
  {
    ...plain("links", ["seq"]),
    pageOfKeys: (after, limit) =>
      `SELECT seq FROM (${LINK_INDEXES.map(
        ({ name, condition }) =>
          `SELECT seq FROM links INDEXED BY links_by_account_${name} WHERE account_id = ?1 AND ${condition} ${after}`,
      ).join(" UNION ALL ")} ORDER BY seq LIMIT ${limit})`,
    inTheWay: [
      `(domain, slug_key) IN (SELECT j.value ->> 'domain', iif(j.value ->> 'case_sensitive', j.value ->> 'slug', lower(j.value ->> 'slug'))
        FROM json_each(?1) j) AND account_id = ?2`,
      // Written so that the index is used, which has no links without an external id.
      `external_id IS NOT NULL AND account_id = ?2 AND external_id IN (SELECT j.value ->> 'external_id' FROM json_each(?1) j)`,
    ],
    companions: [DESTINATIONS],
  },
  { ...plain("deleted_links", ["seq"], ["deleted_at", "seq"]), companions: [DESTINATIONS] },
  {
    ...ofWebhooks("deliveries", ["event_id", "webhook_id"], ["status", "webhook_id", "type", "event_id"]),
    companions: [EVENT_BODIES],
    found: `INDEXED BY deliveries_by_status
      WHERE status IN ('sending', 'pending', 'delivered', 'failed', 'dropped') AND webhook_id IN ${WEBHOOKS}`,
  },
  plain("audit_entries", ["id"]),
];

/** Copied whole while the writes for the account are stopped, in this order. */
export const SMALL_TABLES: readonly MovedTable[] = [
  plain("webhooks", ["id"]),
  ofWebhooks("webhook_slots", ["webhook_id", "id"]),
  ofWebhooks("click_deliveries", ["webhook_id"]),
  ofWebhooks("delivery_totals", ["webhook_id"]),
  ofWebhooks("listener_events", ["listener_id", "end_offset"]),
  plain("domains", ["id"]),
  plain("deleted_domains", ["account_id", "domain"]),
  plain("shared_pages", ["id"]),
  plain("utm_templates", ["id"]),
  plain("notes", ["id"]),
  plain("saved_views", ["id"]),
  plain("tag_colors", ["account_id", "key"]),
  plain("broken_destination_mails", ["account_id"]),
  plain("idempotency_keys", ["account_id", "key"]),
  plain("idempotency_pieces", ["account_id", "key", "attempt", "position"]),
  // Triggers made these of the links. As they are, because a tag keeps its first name, and an alias leads where it last led.
  plain("tags", ["account_id", "key"]),
  // At a custom domain whose new owner is in the target, its aliases stay.
  { ...plain("aliases", ["domain", "slug_key"], ["domain", "link_seq", "slug_key"]), yields: true },
];

/** What the core keeps of an account that leaves it: the audit log lists the entries of both databases. */
export const STAYS_IN_CORE = "audit_entries";
