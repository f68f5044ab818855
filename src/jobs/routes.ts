import type { RouteHandler } from "@hono/zod-openapi";
import { requireKey } from "../guards/api-guards.ts";
import { route } from "../guards/route.ts";
import type { AuthEnv } from "../auth/principal.ts";
import { forbidden, notFound } from "../http/errors.ts";
import { isId } from "../lib/uuid.ts";
import * as contract from "./contract.ts";
import { findJob, toJob } from "./store.ts";

const getJob: RouteHandler<typeof contract.getJob, AuthEnv> = async (c) => {
  const { env, principal } = c.get("context");
  const { id } = c.req.valid("param");
  const job = isId(id) ? await findJob(env.DB, id) : null;
  if (job === null) throw notFound("There is no such job. Completed jobs are deleted after a while.");
  if (job.account_id !== principal.accountId) throw forbidden("This job belongs to another account.");
  return c.json({ job: toJob(job) }, 200);
};

export const ROUTES = [route(contract.getJob, requireKey("links:read"), 60, getJob)];
