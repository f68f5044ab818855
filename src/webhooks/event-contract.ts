import { z, type RouteConfig } from "@hono/zod-openapi";
import { CLICK_EXAMPLE, ClickRecord } from "../clicks/analytics/record-contract.ts";
import { Domain } from "../domains/contract.ts";
import { Id } from "../platform/http/id.ts";
import { Timestamp } from "../platform/http/validation.ts";
import { SECOND_MS } from "../limits.ts";
import { Link, LINK_EXAMPLE } from "../links/contract.ts";
import type { EventType } from "../platform/outbox/event-types.ts";
import { WEBHOOK_TIMEOUT_MS } from "./limits.ts";

// What a webhook receives (6), for the OpenAPI document only. The features that emit the events make the bodies.

const ClickEventData = z
  .object({
    ...ClickRecord.shape,
    link: Link.pick({ id: true, slug: true, domain: true, shortUrl: true, url: true }).openapi({
      description: "The clicked link.",
    }),
  })
  .openapi("ClickEventData", {
    description: "A click, with the clicked link.",
    example: {
      ...CLICK_EXAMPLE,
      link: {
        id: CLICK_EXAMPLE.linkId,
        slug: "Spring-26",
        domain: "go.example",
        shortUrl: "https://go.example/Spring-26",
        url: "https://example.com/spring?ref=poster",
      },
    },
  });

const ExpiredLink = Link.extend({
  reason: z.enum(["expiresAt", "maxClicks"]).openapi({ description: "The setting that ended the link." }),
}).openapi("ExpiredLink", {
  description: "A link that has expired.",
  example: {
    ...LINK_EXAMPLE,
    status: "expired",
    expiresAt: 1_790_003_600_000,
    reason: "expiresAt",
  },
});

const TestEventData = z
  .object({ webhookId: Id.openapi({ description: "The id of the webhook." }) })
  .openapi("TestEventData", {
    description: "The webhook of a test ping.",
    example: { webhookId: "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f" },
  });

interface EventContract {
  summary: string;
  /** Without metadata of its own, which would become that of the component. */
  data: z.ZodType;
}

const EVENTS: Record<EventType, EventContract> = {
  "link.click": { summary: "A link was clicked", data: ClickEventData },
  "link.create": { summary: "A link was created", data: Link },
  "link.update": { summary: "A link was updated; `data` is the link after the change", data: Link },
  "link.delete": { summary: "A link was deleted; `data` is the link as it was", data: Link },
  "link.expired": { summary: "A link has expired; `reason` is the setting that ended it", data: ExpiredLink },
  "domain.verified": { summary: "A domain was verified", data: Domain },
  "domain.lost": { summary: "The TXT record of a verified domain is missing", data: Domain },
  "webhook.test": { summary: "A test ping was sent", data: TestEventData },
};

/** The headers of each delivery, by their name in the document. */
export const DELIVERY_HEADERS = {
  ServiceSignature: header("X-Service-Signature", {
    description:
      "The time in seconds, and the HMAC-SHA256 of `<t>.<raw body>` in lower-case hexadecimal, keyed with the whole secret of the webhook. After a rotation of the secret there is one `v1` for each secret.",
    pattern: "^t=\\d+(,v1=[0-9a-f]{64})+$",
    example: "t=1790000000,v1=bd3ea47fd9e851fe8ad8dfb6b953806869ec88db425e6c2fd18b0053a9af4f27",
  }),
  ServiceEvent: header("X-Service-Event", {
    description: "The type of the event.",
    enum: Object.keys(EVENTS),
    example: "link.create",
  }),
  UserAgent: header("User-Agent", { description: "The sender.", const: "Service-Webhook/1.0" }),
  WebhookId: header("webhook-id", {
    description: "The id of the event, the same on every attempt.",
    format: "uuid",
    example: "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f",
  }),
  WebhookTimestamp: header("webhook-timestamp", {
    description: "The time of the attempt, in seconds.",
    pattern: "^\\d+$",
    example: "1790000000",
  }),
  WebhookSignature: header("webhook-signature", {
    description:
      "The signature of the Standard Webhooks specification over `<webhook-id>.<webhook-timestamp>.<raw body>`, one for each secret.",
    pattern: "^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)*$",
    example: "v1,3m7BgilR8FqaeBP/L9Fls4slf8JP1hGwscTzLYffMdQ=",
  }),
};

function header(name: string, { description, ...schema }: { description: string; [keyword: string]: unknown }) {
  return { name, in: "header" as const, required: true, description, schema: { type: "string" as const, ...schema } };
}

/** The requests that a webhook receives, one for each event type. The path is the event type. */
export const deliveries: RouteConfig[] = Object.entries(EVENTS).map(([type, { summary, data }]) => ({
  method: "post",
  path: type,
  operationId: `receive${toPascalCase(type)}`,
  summary,
  description:
    "Sent at least once, in no particular order. A failed delivery is repeated for about 12 hours, with the same body and `webhook-id`. A webhook with the `format` of a chat service gets messages in place of these bodies.",
  tags: ["Webhooks"],
  security: [],
  parameters: Object.keys(DELIVERY_HEADERS).map((name) => ({ $ref: `#/components/parameters/${name}` })),
  request: { body: { required: true, content: { "application/json": { schema: toBody(type, data) } } } },
  responses: {
    "2XX": {
      description: `The receiver has the event. It must respond within ${WEBHOOK_TIMEOUT_MS / SECOND_MS} seconds.`,
    },
    410: { description: "The receiver no longer exists. The webhook is disabled at once." },
    default: { description: "Any other response is a failed attempt. `Retry-After` is honoured." },
  },
}));

function toBody(type: string, data: z.ZodType): z.ZodType {
  return z
    .object({
      event: z.literal(type).openapi({ description: "The type of the event." }),
      timestamp: Timestamp.openapi({ description: "When the event happened, in Unix milliseconds." }),
      data,
    })
    .openapi(`${toPascalCase(type)}Event`, { description: `The body of a delivery of \`${type}\`.` });
}

/** `link.create` becomes `LinkCreate`. */
function toPascalCase(type: string): string {
  return type.replaceAll(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
