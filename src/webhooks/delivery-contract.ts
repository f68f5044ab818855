import { createRoute, z } from "@hono/zod-openapi";
import { conflicting, json, jsonBody, operation } from "../platform/http/contract.ts";
import { Id, IdInput, idParams } from "../platform/http/id.ts";
import { pageOf, pageQuery } from "../platform/http/pagination.ts";
import { queryTime } from "../platform/http/query.ts";
import { EndTimeInput, StartTimeInput, Timestamp } from "../platform/http/validation.ts";
import { MAX_KEPT_DELIVERIES, MAX_KEPT_DROPPED_DELIVERIES, MAX_KEPT_EVENT_BYTES } from "../limits.ts";
import { EventName, NEEDS_EVENTS } from "./contract.ts";
import { MAX_KEPT_RESPONSE_BYTES, MAX_RETRIED_DELIVERIES } from "./limits.ts";
import { because } from "../platform/http/faults.ts";

// The delivery log of a webhook

export const DELIVERY_STATUSES = ["pending", "delivered", "failed", "dropped"] as const;

const Status = z.enum(DELIVERY_STATUSES);

const fields = {
  id: Id.openapi({ description: "The id of the event, which every attempt sends in the header `webhook-id`." }),
  event: EventName.openapi({ description: "The type of the event." }),
  status: Status.openapi({
    description:
      "`failed`: the last attempt failed and there will be no other. `dropped`: too many deliveries were waiting, and this was one of the oldest; it is not sent.",
  }),
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
  nextAttemptAt: Timestamp.nullable().openapi({
    description:
      "When it is tried next, at the earliest; null if it is not, also while the webhook is inactive or an attempt is in flight.",
  }),
  createdAt: Timestamp.openapi({ description: "When the event happened." }),
};

const EXAMPLE = {
  id: "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f",
  event: "webhook.test",
  status: "failed",
  attempts: [{ at: 1_790_000_000_000, status: 500, statusText: "Internal Server Error", durationMs: 120 }],
  nextAttemptAt: null,
  createdAt: 1_790_000_000_000,
} as const;

const Delivery = z.object(fields).openapi("Delivery", {
  description: "One event for one webhook, with its newest attempts.",
  example: { ...EXAMPLE, event: "link.create", status: "pending", nextAttemptAt: 1_790_000_005_000 },
});
export type Delivery = z.infer<typeof Delivery>;
/** One attempt in the delivery log. */
export type AttemptRecord = Delivery["attempts"][number];

const DeliveryWithBodies = z
  .object({
    ...fields,
    requestBody: z.string().nullable().openapi({
      description:
        "The body that every attempt sends, byte for byte; null if it is not kept: of dropped deliveries and of delivered clicks.",
    }),
    responseBody: z
      .string()
      .nullable()
      .openapi({
        description: `The first ${MAX_KEPT_RESPONSE_BYTES} bytes of the response to the last failed attempt, as UTF-8; null without a response.`,
      }),
  })
  .openapi("DeliveryWithBodies", {
    description: "A delivery with what was sent and received.",
    example: {
      ...EXAMPLE,
      requestBody:
        '{"event":"webhook.test","timestamp":1790000000000,"data":{"webhookId":"01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f"}}',
      responseBody: "the database is down",
    },
  });
export type DeliveryWithBodies = z.infer<typeof DeliveryWithBodies>;

// Requests

const listQuery = z
  .strictObject({
    ...pageQuery,
    status: Status.optional().openapi({ description: "Deliveries with this status." }),
    event: EventName.optional().openapi({ description: "Deliveries of events of this type." }),
    start: queryTime(StartTimeInput)
      .optional()
      .openapi({ description: "Deliveries of events at this time or later. A day in UTC is its beginning." }),
    end: queryTime(EndTimeInput)
      .optional()
      .openapi({ description: "Deliveries of events before this time. A day in UTC is included." }),
  })
  // Of a text that is no time, which has its own fault, there is a NaN.
  .refine(({ start = 0, end = Infinity }) => !(start >= end), {
    path: ["end"],
    message: because("not_after", { field: "start" }),
  });

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

export const listDeliveries = createRoute({
  ...operation("get", "/api/webhooks/{id}/deliveries", "Webhooks", "List deliveries"),
  description: `The deliveries of the last 30 days, at most ${MAX_KEPT_DELIVERIES} and those of ${MAX_KEPT_EVENT_BYTES / 1_000_000} MB of events, and the newest ${MAX_KEPT_DROPPED_DELIVERIES} dropped ones. Of delivered clicks, the newest 100 are kept.`,
  request: { params, query: listQuery },
  responses: {
    200: pageOf("deliveries", Delivery, "The deliveries of the page.", "A page of deliveries, newest event first."),
  },
});

export const getDelivery = createRoute({
  ...operation("get", "/api/webhooks/{id}/deliveries/{deliveryId}", "Webhooks", "Get delivery"),
  description: `With what was sent and received. ${NEEDS_EVENTS}`,
  request: { params: deliveryParams },
  responses: { 200: json(z.object({ delivery: DeliveryWithBodies }), "The delivery.") },
});

export const retryDelivery = createRoute({
  ...operation("post", "/api/webhooks/{id}/deliveries/{deliveryId}/retry", "Webhooks", "Retry delivery"),
  description: `Sends an event again at once, unless the delivery was dropped. If it fails, the retry schedule starts again. ${NEEDS_EVENTS}`,
  request: { params: deliveryParams },
  responses: {
    200: json(z.object({ delivery: Delivery }), "The delivery, which is due now."),
    ...conflicting("The webhook is inactive, or the delivery was dropped."),
  },
});

export const retryDeliveries = createRoute({
  ...operation("post", "/api/webhooks/{id}/deliveries/retry", "Webhooks", "Retry deliveries"),
  description: `Sends the events since a time again that failed or wait for their next attempt, oldest first, at most ${MAX_RETRIED_DELIVERIES} per call. Test pings are not sent again. ${NEEDS_EVENTS}`,
  request: { params, ...jsonBody(RetryDeliveries) },
  responses: {
    200: json(
      z.object({ retried: z.number().int().openapi({ description: "The number of deliveries.", example: 3 }) }),
      "The number of deliveries that are due now.",
    ),
    ...conflicting("The webhook is inactive."),
  },
});
