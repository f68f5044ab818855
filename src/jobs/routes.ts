import type { RouteHandler } from "@hono/zod-openapi";
import type { AuthEnv } from "../auth/principal.ts";
import { forbidden, notFound } from "../http/errors.ts";
import { isId } from "../lib/uuid.ts";
import type * as contract from "./contract.ts";
import { findJob, toJob } from "./store.ts";

export const getJob: RouteHandler<typeof contract.getJob, AuthEnv> = async (c) => {
  const { env, principal } = c.get("context");
  const { id } = c.req.valid("param");
  const job = isId(id) ? await findJob(env.DB, id) : null;
  if (job === null) throw notFound("There is no such job. Completed jobs are deleted after a while.");
  if (job.account_id !== principal.accountId) throw forbidden("This job belongs to another account.");
  return c.json({ job: toJob(job) }, 200);
};
