import { expect, it } from "vitest";
import {
  MAX_BUCKETS,
  MAX_FILTER_VALUES,
  MAX_SELECTED_LINKS,
  LIVE_SOCKET_TTL_MS,
} from "../../src/clicks/analytics/limits.ts";
import { MAX_BULK_JOB_IDS, MAX_BULK_JOB_LINKS } from "../../src/links/bulk-jobs/limits.ts";
import { DEFAULT_CLICK_RETENTION_DAYS } from "../../src/click-log/limits.ts";
import { LOST_DOMAIN_GRACE_MS, MAX_APP_ASSOCIATION_BYTES } from "../../src/domains/limits.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../src/limits.ts";
import {
  EXPORT_TTL_MS,
  MAX_EXPORTED_CODES,
  MAX_FILE_EXPORTS_PER_WINDOW,
  MAX_KEPT_FILE_EXPORTS,
} from "../../src/moving/exports/limits.ts";

import { GRANT_MESSAGES, SESSION_CHANGES, SESSION_READS } from "../../src/access/guards/limits.ts";
import { MAX_BODY_VALUES, MAX_BULK_BODY_BYTES, MAX_BULK_BODY_VALUES } from "../../src/platform/http/limits.ts";
import { IDEMPOTENCY_TTL_MS, MAX_IDEMPOTENCY_KEY_CHARS } from "../../src/platform/idempotency/limits.ts";
import {
  IMPORTED_LINKS_PER_SECOND,
  MAX_IMPORT_COLUMNS,
  MAX_IMPORT_FILE_BYTES,
  MAX_IMPORT_ROW_BYTES,
  MAX_IMPORT_ROWS,
} from "../../src/moving/imports/limits.ts";
import * as shared from "../../src/limits.ts";
import * as links from "../../src/links/limits.ts";
import {
  LISTENER_EVENT_TTL_MS,
  MAX_LISTENERS_PER_ACCOUNT,
  MAX_LISTENER_WAIT_SECONDS,
} from "../../src/webhooks/listeners/limits.ts";
import { MAX_MCP_BODY_BYTES, MAX_TOOL_ITEMS } from "../../src/assistants/limits.ts";
import {
  ACCESS_TOKEN_TTL_MS,
  MAX_GRANTS_PER_PERSON,
  MAX_INVALID_TOKEN_REQUESTS,
  MAX_TOKEN_REQUESTS_PER_GRANT,
} from "../../src/identity/oauth/limits.ts";
import { MAX_ALL_LOGS_BYTES } from "../../src/platform/outbox/limits.ts";
import * as outbound from "../../src/platform/outbound/limits.ts";
import { MAX_QR_LOGO_BYTES, MAX_QR_MARGIN_MODULES, MAX_QR_SIZE_PX, MIN_QR_SIZE_PX } from "../../src/qr/limits.ts";
import { routedNetworkName } from "../../src/platform/rate-limit/client-address.ts";
import {
  ANONYMOUS_LINKS_PER_NETWORK,
  DEFAULT_ACCOUNT_LINKS_PER_MINUTE,
  DEFAULT_ANONYMOUS_LINKS_PER_MINUTE,
  MAX_FAILED_KEYS_PER_ADDRESS,
} from "../../src/platform/rate-limit/limits.ts";
import { MAX_OWN_MAIL_REPORTS, MAX_MAIL_REPORTS_PER_ACCOUNT } from "../../src/clicks/mail-reports/limits.ts";
import { MAX_NOTES_PER_ACCOUNT } from "../../src/clicks/notes/limits.ts";
import { MAX_OWN_VIEWS } from "../../src/links/views/limits.ts";
import {
  MAX_SHARED_PAGES_PER_ACCOUNT,
  SHARED_CLICK_QUERIES_PER_ACCOUNT,
} from "../../src/clicks/shared-pages/limits.ts";
import { MAX_PENDING_INVITATIONS_PER_TEAM, MAX_TEAMS_PER_OWNER } from "../../src/identity/teams/limits.ts";
import { DEFAULT_MAX_LINKS_PER_ACCOUNT } from "../../src/access/usage/limits.ts";
import * as webhooks from "../../src/webhooks/limits.ts";
import { codeSpansOf, readPage, tableAfter } from "./support/pages.ts";

const PAGE = "docs/api/limits.md";

const count = (value: number): string => value.toLocaleString("en-US");
const chars = (value: number): string => `${count(value)} characters`;
const both = (one: number, other: number): string => `${count(one)}, and ${count(other)}`;

function bytes(value: number): string {
  if (value % 1_024 ** 2 === 0) return `${value / 1_024 ** 2} MiB`;
  return value % 1_024 === 0 ? `${value / 1_024} KiB` : `${count(value)} bytes`;
}

function time(ms: number): string {
  const units = { day: DAY_MS, hour: HOUR_MS, minute: MINUTE_MS, second: SECOND_MS };
  const [name, length] = Object.entries(units).find(([, unit]) => ms % unit === 0) ?? ["millisecond", 1];
  const number = ms / length;
  return `${count(number)} ${name}${number === 1 ? "" : "s"}`;
}

/** What each row says, by the constants of the code. */
const LIMITS: Record<string, [what: string, limit: string][]> = {
  Requests: [
    ["body", bytes(shared.MAX_BODY_BYTES)],
    ["body of a bulk creation and of a bulk job", bytes(MAX_BULK_BODY_BYTES)],
    ["nested levels in a body", count(shared.MAX_BODY_DEPTH)],
    ["values in a body, and in one of a bulk creation or a bulk job", both(MAX_BODY_VALUES, MAX_BULK_BODY_VALUES)],
    ["items on a page, by default and at most", both(shared.DEFAULT_PAGE_SIZE_ITEMS, shared.MAX_PAGE_SIZE_ITEMS)],
    ["number of a page that `page` names", count(shared.MAX_PAGE_NUMBER)],
    ["`Idempotency-Key`", chars(MAX_IDEMPOTENCY_KEY_CHARS)],
    ["time for which a response is repeated", time(IDEMPOTENCY_TTL_MS)],
  ],
  Links: [
    ["destination, percent-encoded", chars(shared.MAX_URL_CHARS)],
    ["slug", chars(shared.MAX_SLUG_CHARS)],
    ["aliases of a link", count(shared.MAX_ALIASES_PER_LINK)],
    ["title", chars(shared.MAX_TITLE_CHARS)],
    ["tags of a link", count(shared.MAX_TAGS_PER_LINK)],
    ["tag", chars(shared.MAX_TAG_CHARS)],
    ["tags of an account with a colour", count(shared.MAX_COLORED_TAGS_PER_ACCOUNT)],
    ["`externalId`", chars(links.MAX_EXTERNAL_ID_CHARS)],
    ["UTM value", chars(links.MAX_UTM_CHARS)],
    ["`maxClicks`", count(links.MAX_MAX_CLICKS)],
    ["rules of a link", count(links.MAX_RULES_PER_LINK)],
    ["values of one condition", count(links.MAX_RULE_VALUES)],
    ["countries in `geo`", count(links.MAX_GEO_TARGETS)],
    ["description of a preview", chars(shared.MAX_PREVIEW_DESCRIPTION_CHARS)],
    ["password of a link or a shared page", `${links.MIN_PASSWORD_CHARS} to ${chars(shared.MAX_PASSWORD_CHARS)}`],
    ["search text", `${links.MIN_SEARCH_CHARS} to ${chars(links.MAX_SEARCH_CHARS)}`],
    ["characters of a URL that a search finds", count(links.SEARCHED_URL_CHARS)],
    ["counted matches of a list", count(links.MAX_COUNTED_LINKS)],
    ["domains of a filter", count(links.MAX_FILTER_DOMAINS)],
    ["links with the tags that a filter leaves out", count(links.MAX_LEFT_OUT_LINKS)],
    ["time in which a deleted link can be restored", time(shared.DELETED_LINK_KEPT_MS)],
    ["life of a link without an account", time(links.ANONYMOUS_LINK_TTL_MS)],
  ],
  "Many links": [
    ["links of a bulk request", count(links.MAX_BULK_LINKS)],
    ["ids of a bulk job", count(MAX_BULK_JOB_IDS)],
    ["links that the filter of a bulk job matches", count(MAX_BULK_JOB_LINKS)],
    ["links a second that a long bulk job changes", count(shared.CHANGED_LINKS_PER_SECOND)],
    ["jobs that an account starts in an hour", count(shared.MAX_JOBS_PER_WINDOW)],
    ["jobs of an account that run at once", count(shared.MAX_RUNNING_JOBS)],
    ["time in which a job can be undone", time(shared.JOB_TTL_MS)],
    ["file of an import", bytes(MAX_IMPORT_FILE_BYTES)],
    ["links of a file", count(MAX_IMPORT_ROWS)],
    ["row of a file", bytes(MAX_IMPORT_ROW_BYTES)],
    ["columns of a file", count(MAX_IMPORT_COLUMNS)],
    ["files that an account uploads in an hour", count(shared.MAX_UPLOADS_PER_WINDOW)],
    ["links a second that a long import creates", count(IMPORTED_LINKS_PER_SECOND)],
  ],
  "Clicks and exports": [
    ["values of a dimension on a page", count(shared.MAX_VALUES_PER_DIMENSION)],
    ["values of one filter, and links of a query", count(MAX_FILTER_VALUES)],
    ["links that `tag` and `domain` select", count(MAX_SELECTED_LINKS)],
    ["buckets of a time series", count(MAX_BUCKETS)],
    [
      "WebSockets of an account, and of a key or session",
      both(shared.MAX_LIVE_SOCKETS_PER_ACCOUNT, shared.MAX_LIVE_SOCKETS_PER_CREDENTIAL),
    ],
    ["time after which a WebSocket is closed", time(LIVE_SOCKET_TTL_MS)],
    ["clicks of a CSV file", count(shared.MAX_EXPORT_CLICKS)],
    [
      "time for which single clicks are kept, unless the [account chose](../teams.md#how-long-single-clicks-are-kept) another one",
      time(DEFAULT_CLICK_RETENTION_DAYS * DAY_MS),
    ],
    ["exports that an account starts in an hour", count(MAX_FILE_EXPORTS_PER_WINDOW)],
    ["exports that an account keeps", count(MAX_KEPT_FILE_EXPORTS)],
    ["time for which an export is kept", time(EXPORT_TTL_MS)],
    ["QR codes in an export", count(MAX_EXPORTED_CODES)],
  ],
  "An account": [
    ["links, unless the operator sets another quota", count(DEFAULT_MAX_LINKS_PER_ACCOUNT)],
    ["API keys", count(shared.MAX_ACTIVE_KEYS_PER_ACCOUNT)],
    ["domains", count(shared.MAX_DOMAINS_PER_ACCOUNT)],
    ["webhooks", count(shared.MAX_WEBHOOKS_PER_ACCOUNT)],
    ["listeners", count(MAX_LISTENERS_PER_ACCOUNT)],
    ["UTM templates", count(shared.MAX_UTM_TEMPLATES_PER_ACCOUNT)],
    ["notes", count(MAX_NOTES_PER_ACCOUNT)],
    ["shared pages", count(MAX_SHARED_PAGES_PER_ACCOUNT)],
    ["saved views of a person, saved views that all members have", `${count(MAX_OWN_VIEWS)} each`],
    [
      "reports by mail of a person, of all members",
      `${count(MAX_OWN_MAIL_REPORTS)}, ${count(MAX_MAIL_REPORTS_PER_ACCOUNT)}`,
    ],
    ["members of a team", count(shared.MAX_MEMBERS_PER_TEAM)],
    ["teams that a person owns", count(MAX_TEAMS_PER_OWNER)],
    ["pending invitations of a team", count(MAX_PENDING_INVITATIONS_PER_TEAM)],
  ],
  "Webhooks and listeners": [
    ["URL of a webhook", chars(outbound.MAX_OUTBOUND_URL_CHARS)],
    ["time for a response", time(webhooks.WEBHOOK_TIMEOUT_MS)],
    ["attempts of a delivery", count(1 + webhooks.WEBHOOK_RETRY_STEPS_MS.length)],
    [
      "failures in a row that disable a webhook, unless the operator sets another number",
      count(webhooks.DEFAULT_WEBHOOK_MAX_FAILURES),
    ],
    ["kept deliveries of a webhook", count(shared.MAX_KEPT_DELIVERIES)],
    ["events and responses of these deliveries", bytes(shared.MAX_KEPT_EVENT_BYTES)],
    [
      "delivery logs of all webhooks of a database, before the largest are trimmed",
      `${count(MAX_ALL_LOGS_BYTES)} bytes`,
    ],
    ["time for which a delivery is kept", time(webhooks.DELIVERY_KEPT_MS)],
    ["attempts in flight at one host", count(shared.MAX_IN_FLIGHT_PER_HOST)],
    ["deliveries that one call retries", count(webhooks.MAX_RETRIED_DELIVERIES)],
    ["wait of a poll", time(MAX_LISTENER_WAIT_SECONDS * SECOND_MS)],
    ["time for which a listener keeps an event", time(LISTENER_EVENT_TTL_MS)],
  ],
  "QR codes and domains": [
    ["width of a QR code", `${MIN_QR_SIZE_PX} to ${count(MAX_QR_SIZE_PX)} pixels`],
    ["margin of a QR code", `${MAX_QR_MARGIN_MODULES} modules`],
    ["logo of a QR code", bytes(MAX_QR_LOGO_BYTES)],
    ["file that links apps to a domain", bytes(MAX_APP_ASSOCIATION_BYTES)],
    ["time for which a domain without its TXT record stays verified", time(LOST_DOMAIN_GRACE_MS)],
  ],
  "Assistants and apps": [
    ["message to `/mcp`", bytes(MAX_MCP_BODY_BYTES)],
    ["items in a result, and links that a tool creates or deletes", count(MAX_TOOL_ITEMS)],
    ["connected apps of a person", count(MAX_GRANTS_PER_PERSON)],
    ["life of an access token", time(ACCESS_TOKEN_TTL_MS)],
  ],
};

it.each(Object.entries(LIMITS))("the page of limits has those of the code: %s", (heading, limits) => {
  expect(tableAfter(PAGE, `## ${heading}\n`).map(({ cells }) => cells)).toEqual(limits);
});

it("the page of limits has no other tables", () => {
  const headings = Array.from(readPage(PAGE).matchAll(/^## (.*)$/gm), ([, heading]) => heading);
  expect(headings).toEqual(Object.keys(LIMITS));
});

it("the page of rate limits has the windows besides those of operations, with what they count", () => {
  const prefixOf = (address: string) => routedNetworkName(new Headers({ "CF-Connecting-IP": address }))?.split("/")[1];
  const network = `IPv4 /${prefixOf("203.0.113.9")}, IPv6 /${prefixOf("2001:db8:1:2::3")}`;
  const creations = ["POST /api/links", "POST /api/links/bulk", "POST /api/shorten", "PUT /api/links/upsert"];
  const rows = tableAfter("docs/api/rate-limits.md", "## Other limits").map(
    ({ cells: [limit = "", counts = "", operations = ""] }) => [limit, counts, codeSpansOf(operations)],
  );
  expect(rows).toEqual([
    [count(DEFAULT_ACCOUNT_LINKS_PER_MINUTE), "the links that an account creates, from all addresses", creations],
    [count(ANONYMOUS_LINKS_PER_NETWORK), `the calls of one network (${network})`, ["POST /api/shorten"]],
    [count(DEFAULT_ANONYMOUS_LINKS_PER_MINUTE), "the calls of all networks together", ["POST /api/shorten"]],
    [
      count(SHARED_CLICK_QUERIES_PER_ACCOUNT),
      "the queries of all viewers of the account's [shared pages](shared-pages.md)",
      ["GET /api/shared/:token/clicks"],
    ],
    [
      count(MAX_FAILED_KEYS_PER_ADDRESS),
      "the unknown, revoked and expired keys, and the unknown access tokens, that an address sends",
      ["POST /mcp"],
    ],
  ]);
  const page = readPage("docs/api/rate-limits.md");
  expect(page).toContain(`a session may send ${SESSION_READS}\nreads and ${SESSION_CHANGES} changes a minute`);
  expect(page).toContain(`${GRANT_MESSAGES} messages to \`/mcp\``);
  expect(page).toContain(`${MAX_TOKEN_REQUESTS_PER_GRANT} requests to \`/oauth/token\` a minute`);
  expect(page).toContain(`their address: ${MAX_INVALID_TOKEN_REQUESTS} a minute`);
});
