import type { RATE_LIMITS } from "../../../src/app.ts";
import { accountDataCalls } from "./account-data.ts";
import { adminCalls } from "./admin.ts";
import { appCalls } from "./apps.ts";
import { bulkCalls } from "./bulk.ts";
import type { WorstCall } from "./call.ts";
import { clickCalls } from "./clicks.ts";
import { exportCalls } from "./exports.ts";
import { iconCalls } from "./icons.ts";
import { importCalls } from "./imports.ts";
import { linkCalls } from "./links.ts";
import { linkFormCalls } from "./link-form.ts";
import { listenerCalls } from "./listeners.ts";
import { mailReportCalls } from "./mail-reports.ts";
import { mcpCalls } from "./mcp.ts";
import { noteCalls } from "./notes.ts";
import { resourceCalls } from "./resources.ts";
import { savedViewCalls } from "./saved-views.ts";
import { sharedPageCalls } from "./shared-pages.ts";
import { signInCalls } from "./sign-in.ts";
import { teamCalls } from "./teams.ts";
import { webhookCalls } from "./webhooks.ts";

/** The operations of an API key, of a session or of everybody. The others exist on localhost only. */
export type Operation = Exclude<keyof typeof RATE_LIMITS, (typeof LOCAL_OPERATIONS)[number]>;

export const LOCAL_OPERATIONS = ["POST /api/auth/sign-in/link", "GET /api/auth/outbox"] as const;

/** The worst calls of each operation. The compiler refuses an operation without one: a new endpoint adds its own. */
export const WORST_CALLS: Record<Operation, readonly WorstCall[]> = {
  ...linkCalls,
  ...linkFormCalls,
  ...clickCalls,
  ...savedViewCalls,
  ...mailReportCalls,
  ...noteCalls,
  ...sharedPageCalls,
  ...exportCalls,
  ...webhookCalls,
  ...listenerCalls,
  ...resourceCalls,
  ...mcpCalls,
  ...signInCalls,
  ...appCalls,
  ...teamCalls,
  ...accountDataCalls,
  ...adminCalls,
  ...bulkCalls,
  ...importCalls,
  ...iconCalls,
};
