import { createRoute, z } from "@hono/zod-openapi";
import { conflicting, json, jsonBody, operation, Success } from "../../platform/http/contract.ts";
import { Id, idParams } from "../../platform/http/id.ts";
import { pageOf, pageQuery } from "../../platform/http/pagination.ts";
import { Timestamp } from "../../platform/http/validation.ts";
import { MAX_LISTENER_BYTES, SECOND_MS } from "../../limits.ts";
import { EVENT_TYPES } from "../../platform/outbox/event-types.ts";
import {
  LISTENER_READ_INTERVAL_MS,
  MAX_EVENTS_PER_POLL,
  MAX_LISTENER_CURSOR_CHARS,
  MAX_LISTENER_WAIT_SECONDS,
  MAX_LISTENERS_PER_ACCOUNT,
} from "./limits.ts";
import { because } from "../../platform/http/faults.ts";

// Fields of requests and responses

const ListenerEvent = z.enum(EVENT_TYPES).exclude(["webhook.test"]);
export type ListenerEventType = z.infer<typeof ListenerEvent>;

const EXAMPLE = {
  id: "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f",
  events: ["link.create", "link.click"],
  secret: "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDyVSbOPk1KFE=",
  createdAt: 1_790_000_000_000,
  expiresAt: 1_790_003_600_000,
};

const fields = {
  id: Id,
  events: z.array(ListenerEvent).openapi({ description: "The event types that it receives." }),
  secret: z.string().openapi({ description: "The signing secret. It is shown only once and cannot be read again." }),
  createdAt: Timestamp.openapi({ description: "When the listener was created, in Unix milliseconds." }),
  expiresAt: Timestamp.openapi({ description: "When it is deleted. Each poll postpones it." }),
};

const ListenerWithSecret = z
  .object(fields)
  .openapi("ListenerWithSecret", { description: "A listener with its secret.", example: EXAMPLE });
export type ListenerWithSecret = z.infer<typeof ListenerWithSecret>;

const Listener = z
  .object({
    ...fields,
    secret: z.string().openapi({ description: "The signing secret, masked after the first 8 characters." }),
  })
  .openapi("Listener", {
    description: "A receiver of events that polls for them.",
    example: { ...EXAMPLE, secret: `whsec_C2${"*".repeat(42)}` },
  });
export type Listener = z.infer<typeof Listener>;

const CreateListener = z
  .strictObject({
    events: z
      .array(ListenerEvent)
      .min(1)
      .max(ListenerEvent.options.length)
      .transform((events) => ListenerEvent.options.filter((type) => events.includes(type)))
      .openapi({ description: "The event types to receive." }),
  })
  .openapi("CreateListener", {
    description: "A new listener.",
    example: { events: ["link.create", "link.click"] },
  });

const Cursor = z.string().openapi({ description: "For `after`.", example: "1632" });

const Poll = z
  .object({
    events: z
      .array(
        z.object({
          id: Id.openapi({ description: "The id of the event, as in the header `webhook-id`." }),
          cursor: Cursor.openapi({ description: "`after` for the events behind this one." }),
          headers: z
            .record(z.string(), z.string())
            .openapi({ description: "The headers that a webhook would get, with signatures made for this response." }),
          body: z.string().openapi({ description: "The body, byte for byte. The signatures are of this text." }),
        }),
      )
      .openapi({ description: "In the order of arrival." }),
    next: Cursor.openapi({ description: "`after` for the next poll." }),
    missed: z.boolean().openapi({
      description: "Whether events behind `after` are no longer kept, so that these are not all.",
    }),
  })
  .openapi("ListenerPoll", {
    description: "Events of a listener.",
    example: {
      events: [
        {
          id: "019ac3f0-7d6a-7c3e-9b1f-2f4a5c6d7e8f",
          cursor: "1632",
          headers: {
            "Content-Type": "application/json",
            "User-Agent": "Service-Webhook/1.0",
            "X-Service-Event": "link.create",
            "X-Service-Signature": "t=1790000000,v1=bd3ea47fd9e851fe8ad8dfb6b953806869ec88db425e6c2fd18b0053a9af4f27",
            "webhook-id": "019ac3f0-7d6a-7c3e-9b1f-2f4a5c6d7e8f",
            "webhook-timestamp": "1790000000",
            "webhook-signature": "v1,3m7BgilR8FqaeBP/L9Fls4slf8JP1hGwscTzLYffMdQ=",
          },
          body: '{"event":"link.create","timestamp":1790000000000,"data":{"id":"019ac3f0-6c3e-7b1f-8f4a-5c6d7e8f9b1f"}}',
        },
      ],
      next: "1632",
      missed: false,
    },
  });
export type Poll = z.infer<typeof Poll>;

const pollQuery = z.strictObject({
  after: z
    .string()
    .regex(new RegExp(`^\\d{0,${MAX_LISTENER_CURSOR_CHARS}}$`), because("not_a_cursor"))
    .optional()
    .openapi({ description: "The events behind this cursor. Without it, or if it is empty: all that are kept." }),
  wait: z
    .string()
    .regex(/^\d{1,2}$/, because("not_whole"))
    .transform(Number)
    .pipe(z.number().max(MAX_LISTENER_WAIT_SECONDS))
    .optional()
    .openapi({
      type: "integer",
      minimum: 0,
      maximum: MAX_LISTENER_WAIT_SECONDS,
      description:
        "How long to wait for an event if there is none, in seconds. Without it, the response comes at once.",
    }),
});
export type PollQuery = z.infer<typeof pollQuery>;

const params = idParams("listener");

// Routes

export const createListener = createRoute({
  ...operation("post", "/api/listeners", "Listeners", "Create listener"),
  description: `Receives events without a public URL, such as on a developer's machine. An account has at most ${MAX_LISTENERS_PER_ACCOUNT}. A listener is deleted an hour after its last poll. The key also needs the permissions to read all events.`,
  request: jsonBody(CreateListener),
  responses: {
    201: json(z.object({ listener: ListenerWithSecret }), "The listener, with its secret."),
    ...conflicting("The account has the maximum number of listeners."),
  },
});

export const listListeners = createRoute({
  ...operation("get", "/api/listeners", "Listeners", "List listeners"),
  request: { query: z.strictObject(pageQuery) },
  responses: { 200: pageOf("listeners", Listener, "The listeners of the page.", "A page of listeners, newest first.") },
});

export const pollListener = createRoute({
  ...operation("get", "/api/listeners/{id}/events", "Listeners", "Poll listener"),
  description: `Returns up to ${MAX_EVENTS_PER_POLL} events, each with what a webhook would receive. Events are kept for an hour, and about ${MAX_LISTENER_BYTES / 1_000_000} MB of them; past it the oldest are deleted. An event may come twice, with the same id. A poll that waits ends within ${LISTENER_READ_INTERVAL_MS / SECOND_MS} second when a newer poll of the listener begins, or when the listener or the key is deleted. The key also needs the permissions to read all events of the listener.`,
  request: { params, query: pollQuery },
  responses: { 200: json(Poll, "The events, or none after the wait.") },
});

export const deleteListener = createRoute({
  ...operation("delete", "/api/listeners/{id}", "Listeners", "Delete listener"),
  request: { params },
  responses: { 200: json(Success, "The listener is deleted. Its events cannot be read any more.") },
});
