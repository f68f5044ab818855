import type { RouteHandler } from "@hono/zod-openapi";
import { isUnchanged } from "../http/etag.ts";
import type { MemberEnv } from "../people/env.ts";
import { getExport, requireFile, startExport } from "./account-exports.ts";
import { streamFile } from "./client.ts";
import type * as contract from "./contract.ts";

export const startAccountExport: RouteHandler<typeof contract.startAccountExport, MemberEnv> = async (c) =>
  c.json({ export: await startExport(c.get("context")) }, 202);

export const getAccountExport: RouteHandler<typeof contract.getAccountExport, MemberEnv> = async (c) =>
  c.json({ export: await getExport(c.get("context"), c.req.valid("param").id) }, 200);

export const getAccountExportFile: RouteHandler<typeof contract.getAccountExportFile, MemberEnv> = async (c) => {
  const { env, principal } = c.get("context");
  const found = await getExport(c.get("context"), c.req.valid("param").id);
  const size = requireFile(found);
  // The file of an id never changes.
  const hasFile = isUnchanged(c, found.id);
  // Browsers keep no copy of the account's data.
  c.header("Cache-Control", "no-store");
  if (hasFile) return c.body(null, 304);
  const headers = {
    "Content-Disposition": `attachment; filename="account-${new Date(found.createdAt).toISOString().slice(0, 10)}.zip"`,
    "Content-Type": "application/zip",
    "Content-Length": String(size),
  };
  if (c.req.method === "HEAD") return c.body(null, 200, headers);
  // The runtime sends Content-Length only for a stream whose length it knows.
  const file = streamFile(env, principal.accountId, found.id).pipeThrough(new FixedLengthStream(size));
  return c.body(file, 200, headers);
};
