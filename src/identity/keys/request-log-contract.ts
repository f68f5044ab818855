import { createRoute, z } from "@hono/zod-openapi";
import { MAX_REQUESTS_PER_DAY, REQUESTS_KEPT_DAYS } from "../../click-log/limits.ts";
import { json, operation } from "../../platform/http/contract.ts";
import { Id, IdInput } from "../../platform/http/id.ts";
import { NextCursor, pageQuery } from "../../platform/http/pagination.ts";
import { Timestamp } from "../../platform/http/validation.ts";
import { LOGGED_METHODS, STATUS_CLASSES } from "./request-filters.ts";

const LoggedRequest = z
  .object({
    id: z.uuid().openapi({ description: "The `X-Request-Id` of its response." }),
    keyId: Id.openapi({ description: "The id of the key." }),
    method: z.string().openapi({ description: "The method." }),
    path: z.string().openapi({
      description:
        "The path with its ids. Other parts that the client chose, such as a slug, have the name of the parameter.",
    }),
    status: z.int().openapi({ description: "The status of the response." }),
    durationMs: z.int().openapi({ description: "The time until the response began, in milliseconds." }),
    createdAt: Timestamp.openapi({ description: "The time of the request, in Unix milliseconds." }),
  })
  .openapi("LoggedRequest", {
    description: "An API request with a key.",
    example: {
      id: "3d5a3c1e-6d3f-4b1c-9f0a-2b7c8d9e0f1a",
      keyId: "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f",
      method: "GET",
      path: "/api/links/01920b5c-7d6a-7c3e-9b1f-3a2b3c4d5e6f",
      status: 200,
      durationMs: 12,
      createdAt: 1_790_000_000_000,
    },
  });
export type LoggedRequest = z.infer<typeof LoggedRequest>;

export const listRequests = createRoute({
  ...operation("get", "/api/request-log", "Keys", "List requests"),
  description: `API requests with the account's keys on the last ${REQUESTS_KEPT_DAYS} UTC days, the newest first. Of a day the newest ${MAX_REQUESTS_PER_DAY} are kept.`,
  request: {
    query: z.strictObject({
      limit: pageQuery.limit,
      cursor: pageQuery.cursor,
      keyId: IdInput.optional().openapi({ description: "Those with the key with this id." }),
      status: z.enum(STATUS_CLASSES).optional().openapi({ description: "Those with such a status." }),
      method: z.enum(LOGGED_METHODS).optional().openapi({ description: "Those with this method." }),
    }),
  },
  responses: {
    200: json(
      z.object({
        requests: z.array(LoggedRequest).openapi({ description: "The requests of the page." }),
        leftOut: z
          .int()
          .openapi({ description: "Requests of these days that are not in the log, whatever the filter.", example: 0 }),
        recording: z
          .boolean()
          .openapi({ description: "Whether requests are logged. The operator can turn it off.", example: true }),
        nextCursor: NextCursor,
      }),
      "A page of requests.",
    ),
  },
});
