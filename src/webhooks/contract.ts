import { createRoute, z } from "@hono/zod-openapi";
import { conflicting, json, jsonBody, operation, Success } from "../platform/http/contract.ts";
import { pageOf, pageQuery } from "../platform/http/pagination.ts";
import { hasChange, lineOfProse, Timestamp } from "../platform/http/validation.ts";
import { Id, IdInput, idParams } from "../platform/http/id.ts";
import { isId } from "../platform/lib/uuid.ts";
import { MAX_TAG_CHARS, MAX_WEBHOOKS_PER_ACCOUNT } from "../limits.ts";
import { EVENT_TYPES } from "../platform/outbox/event-types.ts";
import { uniqueTags } from "../platform/lib/tag-key.ts";
import { MAX_OUTBOUND_URL_CHARS, MIN_OUTBOUND_HIGH_PORT } from "../platform/outbound/limits.ts";
import { WEBHOOK_FORMATS } from "./formats.ts";
import { MAX_SIGNING_SECRETS, MAX_WEBHOOK_FILTER_ITEMS } from "./limits.ts";
import { because } from "../platform/http/faults.ts";

// Fields of requests and responses

export const EventName = z.enum(EVENT_TYPES);

const Events = z
  .array(EventName)
  .min(1)
  .max(EVENT_TYPES.length)
  .transform((events) => EVENT_TYPES.filter((type) => events.includes(type)))
  .openapi({ description: "The event types to send." });

const Format = z.enum(WEBHOOK_FORMATS).openapi({
  description:
    "What is sent: the event, or a message about it for an incoming webhook of Slack, Discord or Microsoft Teams.",
});

const withoutRepeats = (items: string[]) => [...new Set(items)];

const filter = <T extends z.ZodType<string>>(item: T, unique = withoutRepeats) =>
  z.array(item).min(1).max(MAX_WEBHOOK_FILTER_ITEMS).transform(unique).nullish();

const filters = {
  linkIds: filter(IdInput.refine(isId, because("not_an_id", { resource: "link" }))).openapi({
    description: "Limits link events to these links and to links with one of `tags`. Both null: no limit.",
  }),
  tags: filter(lineOfProse(MAX_TAG_CHARS), uniqueTags).openapi({
    description:
      "Limits link events to links with one of these tags, in any case, and to links in `linkIds`. Both null: no limit.",
  }),
};

const Url = z
  .string()
  .max(MAX_OUTBOUND_URL_CHARS)
  .openapi({
    format: "iri",
    description: `A public http or https endpoint with port 80, 443 or one from ${MIN_OUTBOUND_HIGH_PORT} on. Private and internal addresses and this service are refused.`,
    example: "https://example.com/hooks/tern",
  });

const Secret = z
  .string()
  .openapi({ description: "The signing secret. It is shown only once and cannot be read again." });

const EXAMPLE = {
  id: "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f",
  url: "https://example.com/hooks/tern",
  events: ["link.create", "link.delete"],
  format: "event" as const,
  linkIds: null,
  tags: ["sale"],
  secret: "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDyVSbOPk1KFE=",
  status: "active",
  createdAt: 1_790_000_000_000,
  failureCount: 0,
};

const fields = {
  id: Id,
  url: z.string().openapi({ format: "iri", description: "The endpoint that receives the events." }),
  events: z.array(EventName).openapi({ description: "The event types that are sent." }),
  format: Format,
  linkIds: z.array(z.string()).nullable().openapi({ description: "Only events of these links; null: no limit." }),
  tags: z
    .array(z.string())
    .nullable()
    .openapi({ description: "Only events of links with these tags; null: no limit." }),
  secret: Secret,
  status: z.enum(["active", "inactive"]).openapi({ description: "`inactive`: no events are sent." }),
  createdAt: Timestamp.openapi({ description: "When the webhook was created, in Unix milliseconds." }),
  failureCount: z.number().int().openapi({ description: "Consecutive failed attempts." }),
};

const WebhookWithSecret = z
  .object(fields)
  .openapi("WebhookWithSecret", { description: "A webhook with its secret.", example: EXAMPLE });

export const Webhook = z
  .object({
    ...fields,
    secret: z.string().openapi({ description: "The signing secret, masked after the first 8 characters." }),
    disabledReason: z.enum(["failures", "gone", "manual", "restored"]).nullable().openapi({
      description:
        "Why the webhook is inactive: too many consecutive failures, a 410 response, a request of the account, or a restored backup whose webhooks the operator has not released yet.",
    }),
    disabledAt: Timestamp.nullable().openapi({ description: "When the webhook became inactive; null while active." }),
    lastTriggeredAt: Timestamp.nullable().openapi({ description: "When the last delivery succeeded." }),
  })
  .openapi("Webhook", {
    description: "An endpoint that receives events.",
    example: {
      ...EXAMPLE,
      secret: `whsec_C2${"*".repeat(42)}`,
      disabledReason: null,
      disabledAt: null,
      lastTriggeredAt: 1_790_000_000_000,
    },
  });
export type Webhook = z.infer<typeof Webhook>;

// Requests

const CreateWebhook = z
  .strictObject({ url: Url, events: Events, format: Format.optional(), ...filters })
  .openapi("CreateWebhook", {
    description: "A new webhook.",
    example: { url: EXAMPLE.url, events: ["link.create", "link.delete"] },
  });

const UpdateWebhook = z
  .strictObject({
    url: Url.optional(),
    events: Events.optional(),
    format: Format.optional(),
    status: z
      .enum(["active", "inactive"])
      .optional()
      .openapi({ description: "`active` also sets `failureCount` to 0." }),
    ...filters,
  })
  .refine(hasChange, because("nothing_given"))
  .openapi("UpdateWebhook", {
    description: "The changed fields of a webhook.",
    minProperties: 1,
    example: { status: "active" },
  });

const hasSucceeded = <T extends boolean>(success: T) =>
  z.literal(success).openapi({ description: "Whether the response was a 2xx within the timeout." });
const PingStatus = z.number().int().openapi({ description: "The status of the response; 0 without a response." });

const params = idParams("webhook");

/** For the descriptions of operations that show events or change who receives them. */
export const NEEDS_EVENTS = "The key also needs the permissions to read all events that the webhook sends.";

// Routes

export const createWebhook = createRoute({
  ...operation("post", "/api/webhooks", "Webhooks", "Create webhook"),
  description: `An account has at most ${MAX_WEBHOOKS_PER_ACCOUNT} webhooks. While its clicks cannot be reached, a webhook for \`link.click\` is a 503 and nothing is stored.`,
  request: jsonBody(CreateWebhook),
  responses: {
    201: json(z.object({ webhook: WebhookWithSecret }), "The webhook, with its secret."),
    ...conflicting("The account has the maximum number of webhooks."),
  },
});

export const listWebhooks = createRoute({
  ...operation("get", "/api/webhooks", "Webhooks", "List webhooks"),
  request: { query: z.strictObject(pageQuery) },
  responses: { 200: pageOf("webhooks", Webhook, "The webhooks of the page.", "A page of webhooks, newest first.") },
});

export const getWebhook = createRoute({
  ...operation("get", "/api/webhooks/{id}", "Webhooks", "Get webhook"),
  request: { params },
  responses: { 200: json(z.object({ webhook: Webhook }), "The webhook.") },
});

export const updateWebhook = createRoute({
  ...operation("patch", "/api/webhooks/{id}", "Webhooks", "Update webhook"),
  description:
    "Changes only the given fields. The status `active` sets `failureCount` to 0 and sends the deliveries that were held for less than 3 days. The key also needs the permissions to read all events that the webhook sends, before and after the change, except to turn it off. While the clicks of the account cannot be reached, a change of `events`, `linkIds` or `tags` is a 503 and nothing is stored.",
  request: { params, ...jsonBody(UpdateWebhook) },
  responses: { 200: json(z.object({ webhook: Webhook }), "The webhook after the change.") },
});

export const deleteWebhook = createRoute({
  ...operation("delete", "/api/webhooks/{id}", "Webhooks", "Delete webhook"),
  request: { params },
  responses: { 200: json(Success, "The webhook is deleted. Its pending deliveries are not sent.") },
});

export const testWebhook = createRoute({
  ...operation("post", "/api/webhooks/{id}", "Webhooks", "Send test ping"),
  description: "Sends the event `webhook.test` at once and waits for the response. It is not retried.",
  request: { params },
  responses: {
    200: json(
      z
        .union([
          z.object({ success: hasSucceeded(true), status: PingStatus }),
          z.object({
            success: hasSucceeded(false),
            status: PingStatus,
            statusText: z.string().openapi({ description: "Why it failed." }),
          }),
        ])
        .openapi("Ping", {
          description: "The result of a test ping.",
          example: { success: false, status: 0, statusText: "timeout" },
        }),
      "The result. Without a response, `status` is 0 and `statusText` is `timeout`, `connection failed` or `blocked address`.",
    ),
  },
});

export const rotateSecret = createRoute({
  ...operation("post", "/api/webhooks/{id}/rotate-secret", "Webhooks", "Rotate secret"),
  description: `For 24 hours the previous secret signs as well: each delivery has a \`v1\` signature of each. At most ${MAX_SIGNING_SECRETS} secrets sign at the same time. ${NEEDS_EVENTS}`,
  request: { params },
  responses: {
    200: json(z.object({ webhook: WebhookWithSecret }), "The webhook, with its new secret."),
    ...conflicting(`${MAX_SIGNING_SECRETS} secrets sign already. The error says when a rotation is possible again.`),
  },
});
