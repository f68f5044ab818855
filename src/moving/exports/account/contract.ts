import { createRoute, z } from "@hono/zod-openapi";
import { conflicting, json, operation, sessionOnly } from "../../../platform/http/contract.ts";
import { idParams } from "../../../platform/http/id.ts";
import { downloadResponses, EXPORT_EXAMPLE, stateFields, EXPORT_TTL_DAYS } from "../contract.ts";
import { MAX_ACCOUNT_EXPORTS_PER_WINDOW, MAX_KEPT_ACCOUNT_EXPORTS, MAX_RUNNING_EXPORTS } from "../limits.ts";

/** Routes for persons, for the account of the header `X-Account-Id`. */

const AccountExport = z
  .object(stateFields)
  .openapi("AccountExport", { description: "A file with all data of an account.", example: EXPORT_EXAMPLE });
export type AccountExport = z.infer<typeof AccountExport>;

const one = z.object({ export: AccountExport });
const params = idParams("export");

export const startAccountExport = createRoute({
  ...operation("post", "/api/account/exports", "Account", "Start account export"),
  ...sessionOnly,
  description: `Writes all data of the account into a file, in the background. At most ${MAX_ACCOUNT_EXPORTS_PER_WINDOW} exports of an account an hour. The newest ${MAX_KEPT_ACCOUNT_EXPORTS} are kept, for ${EXPORT_TTL_DAYS} days.`,
  responses: {
    202: json(one, "The export was started."),
    ...conflicting(`${MAX_RUNNING_EXPORTS} exports of the account are running already.`),
  },
});

export const getAccountExport = createRoute({
  ...operation("get", "/api/account/exports/{id}", "Account", "Get account export"),
  ...sessionOnly,
  request: { params },
  responses: { 200: json(one, "The export.") },
});

export const getAccountExportFile = createRoute({
  ...operation("get", "/api/account/exports/{id}/file", "Account", "Download account export"),
  ...sessionOnly,
  description:
    "A ZIP file with links, clicks, counts of older clicks, domains, webhooks, keys, members and the audit log, each as JSON lines and as CSV. It has no secrets.",
  request: { params },
  responses: downloadResponses({ "application/zip": { schema: z.string().openapi({ format: "binary" }) } }),
});
