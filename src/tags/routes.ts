import type { RouteHandler } from "@hono/zod-openapi";
import type { AuthEnv } from "../auth/principal.ts";
import { toJob } from "../jobs/store.ts";
import type * as contract from "./contract.ts";
import * as list from "./list.ts";
import { startTagJob } from "./start-job.ts";

export const listTags: RouteHandler<typeof contract.listTags, AuthEnv> = async (c) =>
  c.json(await list.listTags(c.get("context"), c.req.valid("query")), 200);

export const renameTag: RouteHandler<typeof contract.renameTag, AuthEnv> = async (c) => {
  const { tag } = c.req.valid("param");
  const job = await startTagJob(c.get("context"), tag, c.req.valid("json").name);
  return c.json({ job: toJob(job) }, 202);
};

export const deleteTag: RouteHandler<typeof contract.deleteTag, AuthEnv> = async (c) => {
  const job = await startTagJob(c.get("context"), c.req.valid("param").tag, null);
  return c.json({ job: toJob(job) }, 202);
};
