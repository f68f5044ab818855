import { createRoute, z } from "@hono/zod-openapi";
import { conflicting, json, jsonBody } from "../http/contract.ts";
import { Id, IdInput, idParams } from "../http/id.ts";
import { NextCursor, pageQuery } from "../http/pagination.ts";
import { StartTimeInput, Timestamp } from "../http/validation.ts";
import { MAX_RETRIED_DELIVERIES } from "../limits.ts";
import { EventName } from "./contract.ts";

// The delivery log of a webhook

const Delivery = z
  .object({
    id: Id.openapi({ description: "The id of the event, which every attempt sends in the header `webhook-id`." }),
    event: EventName.openapi({ description: "The type of the event." }),
    status: z
      .enum(["pending", "delivered", "failed"])
      .openapi({ description: "`failed`: the last attempt failed and there will be no other." }),
    attempts: z
      .array(
        z.object({
          at: Timestamp.openapi({ description: "The time of the attempt, in Unix milliseconds." }),
          status: z.number().int().openapi({ description: "The status of the response; 0 without a response." }),
          statusText: z.string().nullable().openapi({ description: "Why the attempt failed; null for a success." }),
          durationMs: z.number().int().openapi({ description: "How long the attempt took, in milliseconds." }),
        }),
      )
      .openapi({ description: "Newest first." }),
    nextAttemptAt: Timestamp.nullable().openapi({ description: "When it is tried next; null if it is not." }),
    createdAt: Timestamp.openapi({ description: "When the event happened." }),
  })
  .openapi("Delivery", {
    description: "One event for one webhook, with all its attempts.",
    example: {
      id: "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f",
      event: "link.create",
      status: "pending",
      attempts: [{ at: 1_790_000_000_000, status: 500, statusText: "Internal Server Error", durationMs: 120 }],
      nextAttemptAt: 1_790_000_005_000,
      createdAt: 1_790_000_000_000,
    },
  });
export type Delivery = z.infer<typeof Delivery>;
/** One attempt in the delivery log. */
export type AttemptRecord = Delivery["attempts"][number];

// Requests

const RetryDeliveries = z
  .strictObject({ since: StartTimeInput.openapi({ description: "The deliveries of events since this time." }) })
  .openapi("RetryDeliveries", {
    description: "The deliveries to send again.",
    example: { since: 1_790_000_000_000 },
  });

const params = idParams("webhook");
const deliveryParams = params.extend({
  deliveryId: IdInput.openapi({ description: "The `id` of the delivery, which is the id of its event." }),
});

// Routes

const tags = ["Webhooks"];

export const listDeliveries = createRoute({
  tags,
  method: "get",
  path: "/api/webhooks/{id}/deliveries",
  summary: "List deliveries",
  description: "The deliveries of the last 30 days. Of delivered clicks, the newest 100 are kept.",
  request: { params, query: z.strictObject(pageQuery) },
  responses: {
    200: json(
      z.object({
        deliveries: z.array(Delivery).openapi({ description: "The deliveries of the page." }),
        nextCursor: NextCursor,
      }),
      "A page of deliveries, newest event first.",
    ),
  },
});

export const retryDelivery = createRoute({
  tags,
  method: "post",
  path: "/api/webhooks/{id}/deliveries/{deliveryId}/retry",
  summary: "Retry delivery",
  description: "Sends an event again at once, whatever its status. If it fails, the retry schedule starts again.",
  request: { params: deliveryParams },
  responses: {
    200: json(z.object({ delivery: Delivery }), "The delivery, which is due now."),
    ...conflicting("The webhook is inactive."),
  },
});

export const retryDeliveries = createRoute({
  tags,
  method: "post",
  path: "/api/webhooks/{id}/deliveries/retry",
  summary: "Retry deliveries",
  description: `Sends the events since a time again that failed or wait for their next attempt, oldest first, at most ${MAX_RETRIED_DELIVERIES} per call. Test pings are not sent again.`,
  request: { params, ...jsonBody(RetryDeliveries) },
  responses: {
    200: json(
      z.object({ retried: z.number().int().openapi({ description: "The number of deliveries.", example: 3 }) }),
      "The number of deliveries that are due now.",
    ),
    ...conflicting("The webhook is inactive."),
  },
});
