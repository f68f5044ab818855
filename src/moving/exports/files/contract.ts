import { createRoute, z } from "@hono/zod-openapi";
import { fileQuery } from "../../../clicks/analytics/query-contract.ts";
import { conflicting, json, jsonBody, operation } from "../../../platform/http/contract.ts";
import { idParams } from "../../../platform/http/id.ts";
import { pageOf, pageQuery } from "../../../platform/http/pagination.ts";
import { isId } from "../../../platform/lib/uuid.ts";
import { MAX_EXPORT_CLICKS } from "../../../limits.ts";
import { Link } from "../../../links/contract.ts";
import { LinkFilter } from "../../../links/list-contract.ts";
import { codeSettings, DOMAIN_STYLE } from "../../../qr/contract.ts";
import { downloadResponses, EXPORT_EXAMPLE, stateFields, EXPORT_TTL_DAYS } from "../contract.ts";
import {
  MAX_EXPORTED_CODES,
  MAX_FILE_EXPORTS_PER_WINDOW,
  MAX_KEPT_FILE_EXPORTS,
  MAX_LISTED_EXPORT_LINKS,
  MAX_RUNNING_EXPORTS,
  MIN_EXPORTED_QR_SIZE_PX,
} from "../limits.ts";
import { because } from "../../../platform/http/faults.ts";

const LinkId = z
  .string()
  .toLowerCase()
  .refine(isId, because("not_an_id", { resource: "link" }))
  .openapi({ type: "string", format: "uuid", example: EXPORT_EXAMPLE.id });

/** The links of a file: those with the ids, or those that match the filters of GET /api/links. */
const links = {
  ids: z
    .array(LinkId)
    .min(1)
    .max(MAX_LISTED_EXPORT_LINKS)
    .optional()
    .openapi({ description: "These links, instead of those that match the filters." }),
  ...LinkFilter.shape,
};

const formats = <F extends string>(names: readonly [F, ...F[]]) =>
  z
    .enum(names)
    .optional()
    .openapi({ description: `The format of the file, or of each image in it. By default \`${names[0]}\`.` });

const ExportLinks = z.strictObject({
  kind: z.literal("links").openapi({ description: "The links that match, each with all fields." }),
  format: formats(["csv", "json"]),
  ...links,
});
const ExportClicks = z.strictObject({
  kind: z.literal("clicks").openapi({
    description: `The single clicks that match. Their days have at most ${MAX_EXPORT_CLICKS} clicks.`,
  }),
  format: formats(["csv"]),
  ...fileQuery,
});
const ExportCodes = z.strictObject({
  kind: z.literal("qr").openapi({
    description: `A ZIP file with the QR codes of the links that match, at most ${MAX_EXPORTED_CODES}.`,
  }),
  format: formats(["svg", "png"]),
  ...codeSettings(MIN_EXPORTED_QR_SIZE_PX),
  domainStyle: z.boolean().optional().openapi({ default: true, description: DOMAIN_STYLE }),
  ...links,
});

export type ExportCodes = z.infer<typeof ExportCodes>;

const StartExport = z
  .discriminatedUnion("kind", [ExportLinks, ExportClicks, ExportCodes])
  .openapi({ description: "What is exported.", example: { kind: "links", format: "csv", tag: ["sale"] } });
export type StartExport = z.infer<typeof StartExport>;

const Export = z
  .object({
    ...stateFields,
    kind: z.enum(["links", "clicks", "qr"]).openapi({ description: "What is exported." }),
    format: z.enum(["csv", "json", "svg", "png"]).openapi({
      description: "The format of the file; `svg` and `png`: that of the images in the ZIP file.",
    }),
  })
  .openapi("Export", {
    description: "A file with links, clicks or QR codes.",
    example: { ...EXPORT_EXAMPLE, kind: "links", format: "csv" },
  });
export type Export = z.infer<typeof Export>;

const one = z.object({ export: Export });
const params = idParams("export");
const NEEDED = "Links and QR codes need `links:read` too, clicks `clicks:read`.";

export const startExport = createRoute({
  ...operation("post", "/api/exports", "Exports", "Start export"),
  description: `Writes links, clicks or QR codes into a file, in the background. ${NEEDED} At most ${MAX_FILE_EXPORTS_PER_WINDOW} exports of an account an hour. The newest ${MAX_KEPT_FILE_EXPORTS} are kept, for ${EXPORT_TTL_DAYS} days.`,
  request: jsonBody(StartExport),
  responses: {
    202: json(one, "The export was started."),
    ...conflicting(`${MAX_RUNNING_EXPORTS} exports of the account are running already.`),
  },
});

export const listExports = createRoute({
  ...operation("get", "/api/exports", "Exports", "List exports"),
  description:
    "Those whose file the caller may read, the newest first. Exports of all data of the account are not listed.",
  request: { query: z.strictObject(pageQuery) },
  responses: { 200: pageOf("exports", Export, "The exports of the page.", "A page of exports.") },
});

export const getExport = createRoute({
  ...operation("get", "/api/exports/{id}", "Exports", "Get export"),
  description: NEEDED,
  request: { params },
  responses: { 200: json(one, "The export.") },
});

const text = z.string();

export const getExportFile = createRoute({
  ...operation("get", "/api/exports/{id}/file", "Exports", "Download export"),
  description: NEEDED,
  request: { params },
  responses: downloadResponses({
    "text/csv": { schema: text },
    "application/json": { schema: z.object({ links: z.array(Link).openapi({ description: "The links." }) }) },
    "application/zip": { schema: text.openapi({ format: "binary" }) },
  }),
});
