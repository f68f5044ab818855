import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../limits.ts";

/** Clicks of an isolate are buffered for this time before they are sent to their ClickLogs, or through the queue. */
export const CLICK_FLUSH_AFTER_MS = 250;

/** A flush for more ClickLogs goes through the queue, whose consumer stores the clicks of many isolates together. */
export const MAX_DIRECT_LOGS = 8;

/** A ClickLog that has not responded in this time is silent: the clicks go through the queue too. */
export const CLICK_INGEST_TIMEOUT_MS = 2 * SECOND_MS;

/** After an overload or a silence of a ClickLog, an isolate sends its clicks through the queue for this time. */
export const INDIRECT_AFTER_OVERLOAD_MS = 30 * SECOND_MS;

/** ClickLogs whose overload an isolate remembers. */
export const MAX_OVERLOADED_LOGS = 1_000;

/** A flush that is this late was cut off together with its request. The next click starts another one. */
export const CLICK_FLUSH_OVERDUE_MS = SECOND_MS;

/** ClickLogs that all anonymous links share. */
export const SHARED_LOGS = 1_024;

/** Clicks of anonymous links are deleted after this time: their links can be claimed for 30 days, and clicks arrive up to 7 days late. */
export const ANONYMOUS_CLICKS_KEPT_DAYS = 38;

/** Rows of old days that one alarm of a ClickLog of anonymous links deletes. */
export const MAX_DELETED_ROWS_PER_ALARM = 5_000;

/** Clicks in one queue message. */
export const MAX_CLICKS_PER_MESSAGE = 250;

/** Different links in one queue message. */
export const MAX_LINKS_PER_MESSAGE = 60;

/** Characters in one queue message before the click that fills it, which has up to 4,000. A character takes up to three bytes, and Queues accept 128,000 bytes. */
export const MAX_MESSAGE_CHARS = 38_000;

/** Characters in all queue messages of one call. A character takes up to three bytes, and Queues accept 256,000 bytes. */
export const MAX_MESSAGES_CHARS = 82_000;

/** A call to the queue counts as failed after this time. */
export const CLICK_SEND_TIMEOUT_MS = 2 * SECOND_MS;

/** Pause between two attempts to send clicks while the queue is down. */
export const CLICK_SEND_RETRY_MS = SECOND_MS;

/** Clicks are dropped if the queue was down for this time. The platform ends a request 30 seconds after its response. */
export const CLICK_SEND_DEADLINE_MS = 25 * SECOND_MS;

/** Clicks that an isolate buffers while the queue is down: about 5 MB. Further clicks are dropped. */
export const MAX_BUFFERED_CLICKS = 10_000;

/** Characters of a referrer's scheme and host that are read. */
export const MAX_REFERRER_CHARS = 300;

/** Characters of a target's URL that are stored with clicks. */
export const MAX_STORED_URL_CHARS = 1_000;

/** Older clicks are not stored: the salt of their day is deleted, and a redelivery could no longer be recognised. */
export const MAX_CLICK_AGE_DAYS = 7;

/** A salt is kept for its own day and the next one, in which the last clicks of its day arrive. */
export const SALT_KEPT_DAYS = 2;

/** A row of clicks with this many characters is full; the next clicks go into another part. */
export const MAX_PART_CHARS = 16_384;

/** Batch ids that a ClickLog keeps in memory. A Set takes 38 to 47 bytes for an id: about 47 MB at most. */
export const MAX_REMEMBERED_IN_LOG = 1_000_000;

/** Memory of a link's day without its ids, in entries of {@link MAX_REMEMBERED_IN_LOG}: about 300 bytes. */
export const ENTRIES_PER_LINK_DAY = 8;

/** Unique visitors of a link that are counted per UTC day. A query holds those of one link and day: 25 MB, and 38 MB while they grow. */
export const MAX_UNIQUE_VISITORS_PER_LINK_DAY = 1_500_000;

/** Maximum clock skew between hosts that run the same ClickLog one after the other. */
export const MAX_CLOCK_SKEW_MS = 10 * SECOND_MS;

/** Links whose totals a ClickLog keeps in memory. */
export const MAX_TOTALS_IN_LOG = 50_000;

/** Single clicks are kept for this time, unless the account chooses another one. After it only their rollup is kept. */
export const DEFAULT_CLICK_RETENTION_DAYS = 90;

/** Minimum of the time that accounts may choose, whatever the operator sets: that of {@link MAX_CLICK_AGE_DAYS}, in which clicks still arrive. */
export const MIN_CLICK_RETENTION_DAYS = 7;

/** Maximum of the time that accounts may choose, whatever the operator sets: two years. */
export const MAX_CLICK_RETENTION_DAYS = 730;

/** A chosen retention is stored within this time after the account's ClickLog was told of the change. Then it reads it again. */
export const RETENTION_CHANGE_MS = 5 * MINUTE_MS;

/** Characters in one row of a rollup. */
export const MAX_ROLLUP_PART_CHARS = 262_144;

/** Characters that one step rolls up, unless one row has more: up to 4,100 clicks, and 10 MB in memory. */
export const MAX_ROLLUP_STEP_CHARS = 400_000;

/** Steps of one alarm. The next alarm goes on. */
export const MAX_ROLLUPS_PER_ALARM = 200;

/** Above this size a ClickLog rolls up clicks early: the valve. An object stores up to 10 GB. The rest is for clicks that arrive meanwhile. */
export const MAX_CLICK_LOG_BYTES = 6_000_000_000;

/** The part of {@link MAX_CLICK_LOG_BYTES} that the valve makes free. So it opens seldom, and then for many clicks. */
export const VALVE_MARGIN = 0.05;

/** Rows among which the valve looks for something to roll up before it lets calls run in between. */
export const MAX_ROWS_PER_SEARCH = 1_000;

/** The valve keeps quarter hours this many times as long as single clicks. */
export const DETAIL_RATIO = 4;

/** The valve rests for this time after it has found nothing that it could make smaller. */
export const VALVE_REST_MS = HOUR_MS;

/** Visitors of rolled up clicks are kept for this time after their day: its salt is deleted at the latest by then. */
export const VISITORS_KEPT_DAYS = 3;

/** Rows of rolled up clicks that are settled at a time. They have up to 50 MB. */
export const ROWS_PER_SETTLEMENT = 50;

/** Delay before an alarm that failed runs again. */
export const ALARM_RETRY_MS = 10 * MINUTE_MS;

/** The alarm sends pending events that the call which stored their clicks has not sent within this time. */
export const PENDING_EVENTS_RETRY_MS = 20 * SECOND_MS;

/** Click batches whose pending events one alarm sends. */
export const MAX_PENDING_BATCHES_PER_ALARM = 20;

/** The daily maintenance of ClickLogs is spread over this time after midnight UTC. */
export const MAINTENANCE_SPREAD_MS = 2 * HOUR_MS;

/** A day with fewer clicks has no stored summary: reading the clicks is faster. */
export const MIN_CLICKS_FOR_SUMMARY = 100;

/** Summaries of days with this many clicks are made by the maintenance, before the first query. */
export const MIN_CLICKS_FOR_EARLY_SUMMARY = 1_000;

/** Different origins, or clients, that a query counts before it splits them into values: about 5 MB. */
export const MAX_PROFILES_IN_MEMORY = 20_000;

/** Summaries that a query holds in memory at the same time. */
export const SUMMARIES_PER_READ = 16;

/** Values of one dimension in a summary. Rarer values are counted only in the totals. */
export const MAX_SUMMARY_VALUES = 10_000;

/** Characters of a summary. If it is longer, it has fewer values. A character takes up to three bytes, and a row 2 MB. */
export const MAX_SUMMARY_CHARS = 400_000;

/** Different values of one dimension that a query counts. Above it, the rarest ones are counted only in the totals. */
export const MAX_VALUES_IN_MEMORY = 30_000;

/** A query looks up this number of links one by one in each day. For more it reads all rows of the day. */
export const MAX_SOUGHT_LINKS = 100;

/** Click batches whose links are read at once if webhooks subscribe to clicks. They name up to 600 links, about 10 MB. */
export const MAX_BATCHES_WITH_RECIPIENTS = 10;

/** A ClickLog uses the webhooks that it read for this time. Meanwhile it sends events for one that was deleted or deactivated, which are dropped. */
export const SUBSCRIBERS_KEPT_MS = HOUR_MS;

/** A webhook is stored or changed within this time after its ClickLog was told. Until then the ClickLog reads the database for each call. */
export const SUBSCRIPTION_CHANGE_MS = 5 * MINUTE_MS;

/** Attempts of a query to a ClickLog, the first one included. */
export const MAX_CLICK_LOG_ATTEMPTS = 3;

/** Live clicks are sent for this time after the right to read them was last confirmed. */
export const LIVE_RIGHT_TTL_MS = 10 * SECOND_MS;

/** The window of {@link MAX_LIVE_MESSAGES}. */
export const LIVE_MESSAGES_WINDOW_MS = SECOND_MS;

/** Clicks that are read at a time for a CSV file. Between two pages, the ClickLog stores clicks. */
export const CSV_PAGE_RECORDS = 1_000;

/** An account's other exports are refused for this time from the beginning of one, unless it ends earlier. */
export const EXPORT_TURN_MS = 2 * MINUTE_MS;

/** Characters in one page of a backup, unless one row or one day of clicks of a link has more. D1 binds 2 MB, and a character has up to 3 bytes. */
export const BACKUP_PAGE_CHARS = 500_000;

/** Maximum characters of clicks in one page of a backup. A call of a Durable Object returns up to 32 MiB. */
export const MAX_BACKUP_PAGE_CHARS = 8_000_000;

/** An isolate counts visits of unknown paths for this time before it sends them to the ClickLog. */
export const ORPHAN_FLUSH_AFTER_MS = 5 * SECOND_MS;

/** Unknown paths whose visits an isolate counts in that time. Visits of others are not counted. */
export const MAX_BUFFERED_ORPHAN_PATHS = 100;

/** Length of an unknown path that is kept. Visits of longer ones are counted together. */
export const MAX_ORPHAN_PATH_CHARS = 100;

/** Unknown paths that are kept of a domain and UTC day. Visits of others are counted together. */
export const MAX_ORPHAN_PATHS_PER_DAY = 100;

/** UTC days, today's included, of which visits of unknown paths are kept. */
export const ORPHAN_VISITS_KEPT_DAYS = 30;

/** An isolate collects the API requests of an account for this time before it sends them to the ClickLog. */
export const REQUEST_FLUSH_AFTER_MS = 10 * SECOND_MS;

/** API requests that an isolate collects in that time, of all accounts. Others are only counted. */
export const MAX_BUFFERED_REQUESTS = 2_000;

/** API requests in one row of a ClickLog: about 40 KB. */
export const REQUESTS_PER_ROW = 200;

/** API requests that are kept of an account and UTC day, the newest ones. A multiple of {@link REQUESTS_PER_ROW}. */
export const MAX_REQUESTS_PER_DAY = 10_000;

/** UTC days, today's included, of which API requests are kept. */
export const REQUESTS_KEPT_DAYS = 7;

/** Rows of API requests that one call of a ClickLog searches. Clicks are stored between two calls. */
export const REQUEST_ROWS_PER_SEARCH = 50;
