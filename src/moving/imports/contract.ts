import { createRoute, z } from "@hono/zod-openapi";
import { conflicting, json, jsonBody, operation } from "../../platform/http/contract.ts";
import { idParams } from "../../platform/http/id.ts";
import { pageOf } from "../../platform/http/pagination.ts";
import { jobActions, jobListQuery } from "../../jobs/contract.ts";
import { MAX_JOBS_PER_WINDOW, MAX_RUNNING_JOBS, MAX_UPLOADS_PER_WINDOW } from "../../limits.ts";
import { SOURCES } from "./formats/sources.ts";
import { Import, UpdateImport } from "./schemas.ts";
import { MAX_IMPORT_FILE_BYTES, MAX_IMPORT_ROWS } from "./limits.ts";

const one = z.object({ import: Import });
const params = idParams("import");
const RUNNING = `${MAX_RUNNING_JOBS} imports and other jobs of the account are running already.`;

/** Plain schemas: the file is not validated with the request. */
const file = (example: string) => ({
  schema: { type: "string" as const, format: "binary", example },
});
const CSV_EXAMPLE = "Long URL,Short code\nhttps://example.com/spring,spring\n";
const JSON_EXAMPLE = '[{"url": "https://example.com/spring", "slug": "spring"}]';

export const startImport = createRoute({
  ...operation("post", "/api/imports", "Imports", "Upload file to import"),
  description: `Uploads the export of another service, or any CSV file with a column of destinations, and reads it in the background. Nothing is imported yet. The body is the file, at most ${MAX_IMPORT_FILE_BYTES} bytes with ${MAX_IMPORT_ROWS} links, in UTF-8 or UTF-16. At most ${MAX_UPLOADS_PER_WINDOW} files of an account an hour. Only imports that are started count as jobs of the hour, of which there are at most ${MAX_JOBS_PER_WINDOW}.`,
  request: {
    query: z.strictObject({
      source: z
        .enum(["auto", ...SOURCES])
        .optional()
        .openapi({ default: "auto", description: "The service that the file comes from, if it is not recognised." }),
    }),
    body: { required: true, content: { "text/csv": file(CSV_EXAMPLE), "application/json": file(JSON_EXAMPLE) } },
  },
  responses: { 202: json(one, "The file is being read."), ...conflicting(RUNNING) },
});

export const listImports = createRoute({
  ...operation("get", "/api/imports", "Imports", "List imports"),
  request: { query: jobListQuery },
  responses: { 200: pageOf("imports", Import, "The imports of the page, the newest first.", "A page of imports.") },
});

export const getImport = createRoute({
  ...operation("get", "/api/imports/{id}", "Imports", "Get import"),
  request: { params },
  responses: { 200: json(one, "The import.") },
});

export const updateImport = createRoute({
  ...operation("patch", "/api/imports/{id}", "Imports", "Update import"),
  description: "Changes what is chosen. The rows are then checked again, and the problems counted anew.",
  request: { params, ...jsonBody(UpdateImport) },
  responses: { 200: json(one, "The import."), ...conflicting("The import is not ready.") },
});

export const runImport = createRoute({
  ...operation("post", "/api/imports/{id}/start", "Imports", "Start import"),
  request: { params },
  responses: {
    202: json(one, "The import."),
    ...conflicting(`The import is not ready, no column has the destinations, or ${RUNNING}`),
  },
});

export const actions = jobActions({
  tag: "Imports",
  path: "/api/imports",
  noun: "import",
  title: "import",
  response: one,
  full: RUNNING,
  failures:
    "A CSV file with the columns `line`, `reason`, `fault` and those of the uploaded file: each row that was not imported, or not as it was. `fault` is the code of the first fault, or for a link that was left out or altered the kind of the problem. A corrected file can be uploaded as it is.",
  cancel: "Up to 500 more links may still be created. What is imported can be undone.",
  undo: "Deletes the links that the import created. Links that were changed after it are left as they are, and listed as failures. Deleted links can be restored for a week.",
});
