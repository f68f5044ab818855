import type { RouteHandler } from "@hono/zod-openapi";
import { requireKey } from "../guards/api-guards.ts";
import { route } from "../guards/route.ts";
import type { AuthEnv } from "../auth/principal.ts";
import { toJob } from "../jobs/store.ts";
import * as contract from "./contract.ts";
import * as list from "./list.ts";
import { startTagJob } from "./start-job.ts";

const listTags: RouteHandler<typeof contract.listTags, AuthEnv> = async (c) =>
  c.json(await list.listTags(c.get("context"), c.req.valid("query")), 200);

const renameTag: RouteHandler<typeof contract.renameTag, AuthEnv> = async (c) => {
  const { tag } = c.req.valid("param");
  const job = await startTagJob(c.get("context"), tag, c.req.valid("json").name);
  return c.json({ job: toJob(job) }, 202);
};

const deleteTag: RouteHandler<typeof contract.deleteTag, AuthEnv> = async (c) => {
  const job = await startTagJob(c.get("context"), c.req.valid("param").tag, null);
  return c.json({ job: toJob(job) }, 202);
};

export const ROUTES = [
  route(contract.listTags, requireKey("links:read"), 30, listTags),
  route(contract.renameTag, requireKey("links:write"), 2, renameTag),
  route(contract.deleteTag, requireKey("links:write"), 2, deleteTag),
];
