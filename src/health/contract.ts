import { createRoute, z } from "@hono/zod-openapi";
import { json } from "../http/contract.ts";
import { SECOND_MS } from "../lib/duration.ts";
import { HEALTH_TIMEOUT_MS } from "../limits.ts";

const Check = z.enum(["ok", "failed"]);

const Health = z
  .object({
    status: Check.openapi({ description: "`failed` if a check failed." }),
    checks: z
      .object({
        database: Check.openapi({ description: "The D1 database." }),
        durableObjects: Check.openapi({ description: "The Durable Objects." }),
        queues: Check.openapi({ description: "The queues of clicks and of webhook deliveries." }),
      })
      .openapi({ description: "The parts of the service." }),
  })
  .openapi("Health", {
    description: "The state of the service.",
    example: { status: "ok", checks: { database: "ok", durableObjects: "ok", queues: "ok" } },
  });
export type Health = z.infer<typeof Health>;

export const getHealth = createRoute({
  method: "get",
  path: "/api/health",
  tags: ["Operation"],
  summary: "Get health",
  description: `Checks each part of the service, with a timeout of ${HEALTH_TIMEOUT_MS / SECOND_MS} seconds. For monitors.`,
  security: [],
  responses: {
    200: json(Health, "Every part works."),
    503: json(Health, "A part of the service fails. Links that are in the cache still redirect."),
  },
});
