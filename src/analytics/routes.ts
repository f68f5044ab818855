import type { RouteHandler } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { AuthEnv } from "../auth/principal.ts";
import { respondWithCsv } from "../http/csv.ts";
import { preferredType } from "../lib/accept.ts";
import type * as contract from "./contract.ts";
import type { RecordsQuery } from "./query-contract.ts";
import { listClickRecords, readClicks, streamClickRecords } from "./read-clicks.ts";

export const getLinkClicks: RouteHandler<typeof contract.getLinkClicks, AuthEnv> = async (c) =>
  c.json({ clicks: await readClicks(c.get("context"), c.req.valid("param").id, c.req.valid("query")) }, 200);

export const getClicks: RouteHandler<typeof contract.getClicks, AuthEnv> = async (c) =>
  c.json({ clicks: await readClicks(c.get("context"), null, c.req.valid("query")) }, 200);

export const listLinkClicks: RouteHandler<typeof contract.listLinkClicks, AuthEnv> = async (c) =>
  respondWithRecords(c, c.req.valid("param").id, c.req.valid("query"));

export const listClicks: RouteHandler<typeof contract.listClicks, AuthEnv> = async (c) =>
  respondWithRecords(c, null, c.req.valid("query"));

async function respondWithRecords(c: Context<AuthEnv>, linkId: string | null, query: RecordsQuery) {
  const format = query.format ?? acceptedFormat(c.req.header("Accept"));
  if (query.format === undefined) c.header("Vary", "Accept");
  if (format === "json") return c.json(await listClickRecords(c.get("context"), linkId, query), 200);
  const csv = await streamClickRecords(c.get("context"), linkId, query);
  return respondWithCsv(c, csv, "clicks");
}

function acceptedFormat(header: string | undefined): "csv" | "json" {
  return preferredType(header, ["application/json", "text/csv"]) === "text/csv" ? "csv" : "json";
}
