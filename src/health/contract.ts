import { createRoute, z } from "@hono/zod-openapi";
import { json } from "../http/contract.ts";

const Check = z.enum(["ok", "failed"]);

const Health = z
  .object({
    status: Check.openapi({ description: "`failed` where a check did." }),
    checks: z.object({
      database: Check,
      durableObjects: Check,
      queues: Check.openapi({ description: "Whether the queues of clicks and of deliveries can be reached." }),
    }),
  })
  .openapi("Health", { example: { status: "ok", checks: { database: "ok", durableObjects: "ok", queues: "ok" } } });
export type Health = z.infer<typeof Health>;

export const getHealth = createRoute({
  method: "get",
  path: "/api/health",
  tags: ["Operation"],
  summary: "Get health",
  description: "Asks each part that the service is made of, and waits two seconds for it. For monitors.",
  security: [],
  responses: {
    200: json(Health, "Everything answers."),
    503: json(Health, "Something does not. Links that were followed lately still redirect."),
  },
});
