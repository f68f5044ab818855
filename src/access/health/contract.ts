import { createRoute, z } from "@hono/zod-openapi";
import { json, operation } from "../../platform/http/contract.ts";
import { SECOND_MS } from "../../limits.ts";
import { HEALTH_CACHE_MS, HEALTH_TIMEOUT_MS } from "./limits.ts";

const Check = z.enum(["ok", "failed"]);

const checks = {
  database: Check.openapi({ description: "Whether the database responds." }),
  schema: z.enum(["ok", "failed", "unknown"]).openapi({
    description: "The tables. `unknown` if the database does not respond.",
  }),
  encryptionKeys: Check.openapi({ description: "Whether the keys encrypt, and decrypt what is stored." }),
  durableObjects: Check.openapi({ description: "The rate limiter and the ClickLogs." }),
  queues: Check.openapi({
    description: "The queues of clicks, of webhook deliveries and of click events, and their dead-letter queues.",
  }),
};
export type CheckName = keyof typeof checks;

const details = {
  checks: z.object(checks).openapi({ description: "The parts of the service." }),
  schemaVersion: z
    .number()
    .int()
    .nullable()
    .openapi({ description: "The version of the tables; null if there are none or the database does not respond." }),
  problems: z
    .array(
      z.object({
        check: z
          .enum(Object.keys(checks) as [CheckName, ...CheckName[]])
          .openapi({ description: "The check that failed." }),
        problem: z.string().openapi({ description: "What is wrong." }),
        fix: z.string().openapi({ description: "What the operator can do, with the command." }),
      }),
    )
    .openapi({ description: "One entry for each failed check." }),
};

const status = Check.openapi({ description: "`failed` if a check failed." });

/** What an operator reads about the service. */
const HealthState = z.object({ status, ...details });
export type HealthState = z.infer<typeof HealthState>;

const Health = z.object({ status, ...z.object(details).partial().shape }).openapi("Health", {
  description: "The state of the service. Callers on its own machine get all properties, others only `status`.",
  example: { status: "ok" },
});

export const getHealth = createRoute({
  ...operation("get", "/api/health", "Operation", "Get health"),
  description: `Checks each part of the service, with a timeout of ${HEALTH_TIMEOUT_MS / SECOND_MS} seconds. The result may be up to ${HEALTH_CACHE_MS / SECOND_MS} seconds old. For monitors. Which part fails is only in the logs, and in the answer to the operator and on the machine of the service.`,
  security: [],
  responses: {
    200: json(Health, "Every part works."),
    503: json(Health, "A part of the service fails. Links that are in the cache still redirect."),
  },
});
