import { createRoute, z } from "@hono/zod-openapi";
import { conflicting, json, jsonBody, Success } from "../http/contract.ts";
import { NextCursor, pageQuery } from "../http/pagination.ts";
import { lineOfText, Timestamp, TimestampInput } from "../http/validation.ts";
import { isId } from "../lib/uuid.ts";
import {
  MAX_RETRIED_DELIVERIES,
  MAX_TAG_CHARS,
  MAX_WEBHOOK_FILTER_ITEMS,
  MAX_WEBHOOKS_PER_ACCOUNT,
} from "../limits.ts";
import { EVENT_TYPES } from "../outbox/event-types.ts";

// Fields of requests and responses

const EventName = z.enum(EVENT_TYPES);

const Events = z
  .array(EventName)
  .min(1, "must name at least one event")
  .transform((events) => EVENT_TYPES.filter((type) => events.includes(type)));

const filter = <T extends z.ZodType<string>>(item: T) =>
  z
    .array(item)
    .min(1, "must not be empty; null selects all links")
    .max(MAX_WEBHOOK_FILTER_ITEMS, `must have at most ${MAX_WEBHOOK_FILTER_ITEMS} items`)
    .transform((items) => [...new Set(items)])
    .nullish();

const filters = {
  linkIds: filter(z.string().refine(isId, "must be the id of a link")).openapi({
    description: "Limits link events to these links and to links with one of `tags`. Both null: no limit.",
  }),
  tags: filter(lineOfText(MAX_TAG_CHARS)).openapi({
    description: "Limits link events to links with one of these tags and to links in `linkIds`. Both null: no limit.",
  }),
};

const Url = z.string().openapi({
  format: "iri",
  description: "A public http or https endpoint. Private and internal addresses and this service are refused.",
  example: "https://example.com/hooks/tern",
});

const Secret = z
  .string()
  .openapi({ description: "The signing secret. It is shown only once and cannot be read again." });

const EXAMPLE = {
  id: "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f",
  url: "https://example.com/hooks/tern",
  events: ["link.create", "link.delete"],
  linkIds: null,
  tags: ["sale"],
  secret: "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDyVSbOPk1KFE=",
  status: "active",
  createdAt: 1_790_000_000_000,
  failureCount: 0,
};

const fields = {
  id: z.uuid(),
  url: z.string(),
  events: z.array(EventName),
  linkIds: z.array(z.string()).nullable(),
  tags: z.array(z.string()).nullable(),
  secret: Secret,
  status: z.enum(["active", "inactive"]),
  createdAt: Timestamp,
  failureCount: z.number().int().openapi({ description: "Consecutive failed attempts." }),
};

const NewWebhook = z.object(fields).openapi("NewWebhook", { example: EXAMPLE });

const Webhook = z
  .object({
    ...fields,
    secret: z.string().openapi({ description: "The signing secret, masked after the first 8 characters." }),
    disabledReason: z.enum(["failures", "gone", "manual", "restored"]).nullable().openapi({
      description:
        "Why the webhook is inactive: too many consecutive failures, a 410 response, a request of the account, or a restored backup whose webhooks the operator has not released yet.",
    }),
    disabledAt: Timestamp.nullable(),
    lastTriggeredAt: Timestamp.nullable().openapi({ description: "When the last delivery succeeded." }),
  })
  .openapi("Webhook", {
    example: {
      ...EXAMPLE,
      secret: `whsec_C2${"*".repeat(42)}`,
      disabledReason: null,
      disabledAt: null,
      lastTriggeredAt: 1_790_000_000_000,
    },
  });
export type Webhook = z.infer<typeof Webhook>;

const Delivery = z
  .object({
    id: z.uuid().openapi({ description: "The id of the event, which every attempt sends in the header `webhook-id`." }),
    event: EventName,
    status: z.enum(["pending", "delivered", "failed"]),
    attempts: z
      .array(
        z.object({
          at: Timestamp,
          status: z.number().int().openapi({ description: "The status of the response; 0 without a response." }),
          statusText: z.string().nullable().openapi({ description: "Why the attempt failed; null for a success." }),
          durationMs: z.number().int(),
        }),
      )
      .openapi({ description: "Newest first." }),
    nextAttemptAt: Timestamp.nullable(),
    createdAt: Timestamp.openapi({ description: "When the event happened." }),
  })
  .openapi("Delivery", {
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

const CreateWebhook = z
  .strictObject({ url: Url, events: Events, ...filters })
  .openapi("CreateWebhook", { example: { url: EXAMPLE.url, events: ["link.create", "link.delete"] } });

const UpdateWebhook = z
  .strictObject({
    url: Url.optional(),
    events: Events.optional(),
    status: z.enum(["active", "inactive"]).optional(),
    ...filters,
  })
  .refine((changes) => Object.values(changes).some((value) => value !== undefined), "give at least one field to change")
  .openapi("UpdateWebhook", { minProperties: 1, example: { status: "active" } });

const RetryFailed = z
  .strictObject({ since: TimestampInput })
  .openapi("RetryFailedDeliveries", { example: { since: 1_790_000_000_000 } });

const params = z.object({ id: z.string() });
const deliveryParams = z.object({ id: z.string(), deliveryId: z.string() });

// Routes (4.1)

const route = <const R extends Omit<Parameters<typeof createRoute>[0], "tags">>(config: R) =>
  createRoute({ ...config, tags: ["Webhooks"] });

export const createWebhook = route({
  method: "post",
  path: "/api/webhooks",
  summary: "Create webhook",
  description: `An account has at most ${MAX_WEBHOOKS_PER_ACCOUNT} webhooks.`,
  request: jsonBody(CreateWebhook),
  responses: {
    201: json(z.object({ webhook: NewWebhook }), "The webhook, with its secret."),
    ...conflicting("The account has the maximum number of webhooks."),
  },
});

export const listWebhooks = route({
  method: "get",
  path: "/api/webhooks",
  summary: "List webhooks",
  request: { query: z.strictObject(pageQuery) },
  responses: {
    200: json(z.object({ webhooks: z.array(Webhook), nextCursor: NextCursor }), "A page of webhooks, newest first."),
  },
});

export const getWebhook = route({
  method: "get",
  path: "/api/webhooks/{id}",
  summary: "Get webhook",
  request: { params },
  responses: { 200: json(z.object({ webhook: Webhook }), "The webhook.") },
});

export const updateWebhook = route({
  method: "patch",
  path: "/api/webhooks/{id}",
  summary: "Update webhook",
  description:
    "Changes only the given fields. The status `active` sets `failureCount` to 0 and sends the deliveries that were held for less than 3 days.",
  request: { params, ...jsonBody(UpdateWebhook) },
  responses: { 200: json(z.object({ webhook: Webhook }), "The webhook after the change.") },
});

export const deleteWebhook = route({
  method: "delete",
  path: "/api/webhooks/{id}",
  summary: "Delete webhook",
  request: { params },
  responses: { 200: json(Success, "The webhook is deleted. Its pending deliveries are not sent.") },
});

export const testWebhook = route({
  method: "post",
  path: "/api/webhooks/{id}",
  summary: "Send test ping",
  description: "Sends the event `webhook.test` at once and waits for the response. It is not retried.",
  request: { params },
  responses: {
    200: json(
      z
        .union([
          z.object({ success: z.literal(true), status: z.number().int() }),
          z.object({ success: z.literal(false), status: z.number().int(), statusText: z.string() }),
        ])
        .openapi("Ping", { example: { success: false, status: 0, statusText: "timeout" } }),
      "The result. Without a response, `status` is 0 and `statusText` is `timeout`, `connection failed` or `blocked address`.",
    ),
  },
});

export const listDeliveries = route({
  method: "get",
  path: "/api/webhooks/{id}/deliveries",
  summary: "List deliveries",
  description: "The deliveries of the last 30 days. Of delivered clicks, the newest 100 are kept.",
  request: { params, query: z.strictObject(pageQuery) },
  responses: {
    200: json(
      z.object({ deliveries: z.array(Delivery), nextCursor: NextCursor }),
      "A page of deliveries, newest event first.",
    ),
  },
});

export const retryDelivery = route({
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

export const retryFailedDeliveries = route({
  method: "post",
  path: "/api/webhooks/{id}/deliveries/retry",
  summary: "Retry failed deliveries",
  description: `Sends the failed deliveries of events since a time again, oldest first, at most ${MAX_RETRIED_DELIVERIES} per call.`,
  request: { params, ...jsonBody(RetryFailed) },
  responses: {
    200: json(z.object({ retried: z.number().int() }), "The number of deliveries that are due now."),
    ...conflicting("The webhook is inactive."),
  },
});

export const rotateSecret = route({
  method: "post",
  path: "/api/webhooks/{id}/rotate-secret",
  summary: "Rotate secret",
  description: "For 24 hours the previous secret signs as well: each delivery has a `v1` signature of both.",
  request: { params },
  responses: { 200: json(z.object({ webhook: NewWebhook }), "The webhook, with its new secret.") },
});
