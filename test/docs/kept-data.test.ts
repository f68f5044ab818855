import { expect, it } from "vitest";
import { AUDIT_ENTRY_KEPT_MS } from "../../src/access/audit/limits.ts";
import { GRANT_IDLE_TTL_MS } from "../../src/platform/auth/limits.ts";
import {
  ANONYMOUS_CLICKS_KEPT_DAYS,
  ORPHAN_VISITS_KEPT_DAYS,
  REQUESTS_KEPT_DAYS,
  DEFAULT_CLICK_RETENTION_DAYS,
  SALT_KEPT_DAYS,
} from "../../src/click-log/limits.ts";
import {
  DAY_MS,
  DELETED_ACCOUNT_KEPT_MS,
  DELETED_LINK_KEPT_MS,
  HOUR_MS,
  INVITATION_TTL_MS,
  JOB_TTL_MS,
  MINUTE_MS,
  OPERATOR_ENTRY_KEPT_MS,
  REPORT_KEPT_MS,
  SESSION_IDLE_TTL_MS,
  SESSION_TTL_MS,
} from "../../src/limits.ts";
import { EXPORT_TTL_MS } from "../../src/moving/exports/limits.ts";
import { EXPIRED_APP_TOKEN_KEPT_MS } from "../../src/access/grants/limits.ts";
import { IDEMPOTENCY_TTL_MS } from "../../src/platform/idempotency/limits.ts";
import { ANONYMOUS_LINK_TTL_MS } from "../../src/links/limits.ts";
import { LISTENER_EVENT_TTL_MS } from "../../src/webhooks/listeners/limits.ts";
import { GUESS_WINDOW_MS, MAIL_KEPT_MS } from "../../src/identity/people/limits.ts";
import { TAG_JOB_KEPT_MS } from "../../src/links/tags/limits.ts";
import { DELIVERY_KEPT_MS } from "../../src/webhooks/limits.ts";
import { readPage } from "./support/pages.ts";

/** In milliseconds, in the order of the table. Null: for good. */
const KEPT: (number | number[] | null)[] = [
  DAY_MS,
  GUESS_WINDOW_MS,
  [SESSION_IDLE_TTL_MS, SESSION_TTL_MS],
  GRANT_IDLE_TTL_MS,
  EXPIRED_APP_TOKEN_KEPT_MS,
  MAIL_KEPT_MS,
  INVITATION_TTL_MS,
  AUDIT_ENTRY_KEPT_MS,
  OPERATOR_ENTRY_KEPT_MS,
  OPERATOR_ENTRY_KEPT_MS,
  REPORT_KEPT_MS,
  null,
  DEFAULT_CLICK_RETENTION_DAYS * DAY_MS,
  ANONYMOUS_CLICKS_KEPT_DAYS * DAY_MS,
  SALT_KEPT_DAYS * DAY_MS,
  ORPHAN_VISITS_KEPT_DAYS * DAY_MS,
  REQUESTS_KEPT_DAYS * DAY_MS,
  ANONYMOUS_LINK_TTL_MS,
  DELETED_LINK_KEPT_MS,
  DELETED_ACCOUNT_KEPT_MS,
  DELIVERY_KEPT_MS,
  LISTENER_EVENT_TTL_MS,
  IDEMPOTENCY_TTL_MS,
  JOB_TTL_MS,
  TAG_JOB_KEPT_MS,
  EXPORT_TTL_MS,
];

const UNITS: Record<string, number> = { minute: MINUTE_MS, hour: HOUR_MS, day: DAY_MS };

it("the page on sensitive data says how long the code keeps them", () => {
  const [, section = ""] = /^## How long data are kept$([^]*?)^The cron/m.exec(readPage("docs/security/data.md")) ?? [];
  const rows = section.trim().split("\n").slice(2);
  const kept = rows.map((row) => {
    const [, text = ""] = row.split(" | ");
    const times = Array.from(
      text.matchAll(/(\d+) (minute|hour|day)/g),
      ([, n, unit = ""]) => Number(n) * (UNITS[unit] ?? 0),
    );
    if (text === "for good") return null;
    return times.length === 1 ? times[0] : times;
  });
  expect(kept).toEqual(KEPT);
});
