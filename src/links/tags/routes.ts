import type { RouteHandler } from "@hono/zod-openapi";
import { requireKey } from "../../access/guards/api-guards.ts";
import { authenticate } from "../../access/guards/authenticate.ts";
import { toLimit, route, type Access } from "../../access/guards/route.ts";
import type { AuthEnv } from "../../platform/auth/principal.ts";
import { JOB_READS_PER_MINUTE } from "../../jobs/limits.ts";
import { countCall } from "../../platform/rate-limit/middleware.ts";
import * as contract from "./contract.ts";
import * as jobContract from "./job-contract.ts";
import * as list from "./list.ts";
import { getTagJob, setTagColor, startTagJob } from "./requests.ts";

const listTags: RouteHandler<typeof contract.listTags, AuthEnv> = async (c) =>
  c.json(await list.listTags(c.get("context"), c.req.valid("query")), 200);

/** Calls a minute that change a tag, and those of them that start a renaming. */
const UPDATES = { color: 30, name: 2 };

const RENAMES = toLimit("PATCH /api/tags/:tag (name)", UPDATES.name);

const changeTag: Access<AuthEnv, typeof UPDATES> = (operation, { color }) => {
  const all = toLimit(`${operation} (color)`, color);
  return {
    guards: [authenticate(all, ["links:write"])],
    limits: [all, RENAMES],
    description: `Permission: \`links:write\`. At most ${all.perMinute} calls a minute. At most ${RENAMES.perMinute} of them may have \`name\`.`,
  };
};

const updateTag: RouteHandler<typeof contract.updateTag, AuthEnv> = async (c) => {
  const { tag } = c.req.valid("param");
  const { name, color } = c.req.valid("json");
  const context = c.get("context");
  if (name === undefined) return c.json({ tag: await setTagColor(context, tag, color ?? null) }, 200);
  const { principal } = context;
  // Sessions have no limits of operations.
  if (principal.type === "key") await countCall(c, RENAMES, "valid", principal.limits ?? null);
  return c.json({ job: await startTagJob(context, tag, { name, color }) }, 202);
};

const deleteTag: RouteHandler<typeof contract.deleteTag, AuthEnv> = async (c) =>
  c.json({ job: await startTagJob(c.get("context"), c.req.valid("param").tag, { name: null }) }, 202);

const getJob: RouteHandler<typeof jobContract.getJob, AuthEnv> = async (c) =>
  c.json({ job: await getTagJob(c.get("context"), c.req.valid("param").id) }, 200);

export const ROUTES = [
  route(contract.listTags, requireKey("links:read"), 30, listTags),
  route(contract.updateTag, changeTag, UPDATES, updateTag),
  route(contract.deleteTag, requireKey("links:write"), 2, deleteTag),
  route(jobContract.getJob, requireKey("links:read"), JOB_READS_PER_MINUTE, getJob),
];
