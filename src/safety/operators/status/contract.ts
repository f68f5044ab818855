import { createRoute, z } from "@hono/zod-openapi";
import { json, operation, sessionOnly } from "../../../platform/http/contract.ts";
import { Timestamp } from "../../../platform/http/validation.ts";
import { MAX_COUNTED_DECISIONS } from "../../limits.ts";
import { forOthers } from "../../takedowns/contract.ts";
import { ScreeningRule } from "../../screening/contract.ts";

/** The state of the service at a glance, for its operators. */

const count = (description: string) =>
  z.int().openapi({ description: `${description}, at most ${MAX_COUNTED_DECISIONS}.` });

const Status = z
  .object({
    health: z
      .object({
        status: z.enum(["ok", "failed"]).openapi({ description: "`failed` if a check failed." }),
        checkedAt: Timestamp.openapi({ description: "When the cron checked, in Unix milliseconds." }),
        problems: z.array(z.string()).openapi({ description: "What is wrong." }),
      })
      .nullable()
      .openapi({ description: "As GET /api/health; null: the cron has not run yet." }),
    queues: z
      .array(
        z.object({
          queue: z.enum(["clicks", "deliveries", "clickEvents"]).openapi({ description: "The queue." }),
          messages: z.int().openapi({ description: "Messages that wait." }),
          ageMs: z.int().openapi({ description: "The age of the oldest one; 0: there is none." }),
          deadMessages: z.int().openapi({ description: "Messages that were given up." }),
        }),
      )
      .nullable()
      .openapi({ description: "The queues; null: they do not respond." }),
    waiting: z
      .object({ reports: count("Open reports"), appeals: count("Open appeals") })
      .openapi({ description: "What waits for a decision." }),
    screening: z
      .object({
        isOn: z.boolean().openapi({ description: "Whether destinations are screened." }),
        hasProvider: z.boolean().openapi({ description: "Whether a provider is asked besides the lists." }),
        lists: z
          .array(ScreeningRule)
          .nullable()
          .openapi({ description: "The list files; null: the Screener does not respond." }),
      })
      .openapi({ description: "What destinations are compared with." }),
    signUp: z.enum(["open", "invited", "closed"]).openapi({ description: "Who may sign up." }),
    anonymousLinksPerMinute: z.int().openapi({ description: "Links without a key a minute; 0: nobody may make one." }),
  })
  .openapi("OperatorStatus", {
    description: "The state of the service.",
    example: {
      health: { status: "ok", checkedAt: 1_790_000_000_000, problems: [] },
      queues: [{ queue: "clicks", messages: 0, ageMs: 0, deadMessages: 0 }],
      waiting: { reports: 1, appeals: 0 },
      screening: { isOn: true, hasProvider: false, lists: [] },
      signUp: "invited",
      anonymousLinksPerMinute: 1_000,
    },
  });
export type Status = z.infer<typeof Status>;

export const getStatus = createRoute({
  ...operation("get", "/api/admin/status", "Administration", "Get status"),
  ...sessionOnly,
  responses: { 200: json(z.object({ status: Status }), "The state of the service."), ...forOthers },
});
