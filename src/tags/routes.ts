import type { RouteHandler } from "@hono/zod-openapi";
import { requireKey } from "../guards/api-guards.ts";
import { route } from "../guards/route.ts";
import type { AuthEnv } from "../auth/principal.ts";
import { JOB_READS_PER_MINUTE } from "../jobs/limits.ts";
import * as contract from "./contract.ts";
import * as jobContract from "./job-contract.ts";
import * as list from "./list.ts";
import { getTagJob, setTagColor, startTagJob } from "./requests.ts";

const listTags: RouteHandler<typeof contract.listTags, AuthEnv> = async (c) =>
  c.json(await list.listTags(c.get("context"), c.req.valid("query")), 200);

const renameTag: RouteHandler<typeof contract.renameTag, AuthEnv> = async (c) => {
  const { tag } = c.req.valid("param");
  return c.json({ job: await startTagJob(c.get("context"), tag, c.req.valid("json").name) }, 202);
};

const deleteTag: RouteHandler<typeof contract.deleteTag, AuthEnv> = async (c) =>
  c.json({ job: await startTagJob(c.get("context"), c.req.valid("param").tag, null) }, 202);

const colorTag: RouteHandler<typeof contract.colorTag, AuthEnv> = async (c) => {
  const { tag } = c.req.valid("param");
  return c.json({ tag: await setTagColor(c.get("context"), tag, c.req.valid("json").color) }, 200);
};

const getJob: RouteHandler<typeof jobContract.getJob, AuthEnv> = async (c) =>
  c.json({ job: await getTagJob(c.get("context"), c.req.valid("param").id) }, 200);

export const ROUTES = [
  route(contract.listTags, requireKey("links:read"), 30, listTags),
  route(contract.renameTag, requireKey("links:write"), 2, renameTag),
  route(contract.deleteTag, requireKey("links:write"), 2, deleteTag),
  route(contract.colorTag, requireKey("links:write"), 30, colorTag),
  route(jobContract.getJob, requireKey("links:read"), JOB_READS_PER_MINUTE, getJob),
];
