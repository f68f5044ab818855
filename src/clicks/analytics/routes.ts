import type { RouteHandler } from "@hono/zod-openapi";
import { requireKey } from "../../access/guards/api-guards.ts";
import { route } from "../../access/guards/route.ts";
import type { Context, HonoRequest } from "hono";
import type { AuthEnv } from "../../platform/auth/principal.ts";
import { BODY_BOUNDS } from "../../platform/http/body.ts";
import { respondWithCsv } from "../../platform/http/csv.ts";
import { preferredType } from "../../platform/lib/accept.ts";
import * as contract from "./contract.ts";
import type { RecordsQuery } from "./query-contract.ts";
import { listClickRecords, readClicks, streamClickRecords } from "./read-clicks.ts";

const getLinkClicks: RouteHandler<typeof contract.getLinkClicks, AuthEnv> = async (c) =>
  c.json({ clicks: await readClicks(c.get("context"), c.req.valid("param").id, c.req.valid("query")) }, 200);

const getClicks: RouteHandler<typeof contract.getClicks, AuthEnv> = async (c) =>
  c.json({ clicks: await readClicks(c.get("context"), null, c.req.valid("query")) }, 200);

const listLinkClicks: RouteHandler<typeof contract.listLinkClicks, AuthEnv> = async (c) =>
  respondWithRecords(c, c.req.valid("param").id, c.req.valid("query"));

const listClicks: RouteHandler<typeof contract.listClicks, AuthEnv> = async (c) =>
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

const isFile = (request: HonoRequest) =>
  (request.query("format") ?? acceptedFormat(request.header("Accept"))) === "csv";

export const ROUTES = [
  route(contract.getLinkClicks, requireKey("clicks:read"), 30, getLinkClicks),
  route(contract.listLinkClicks, requireKey("clicks:read"), 30, listLinkClicks, BODY_BOUNDS, isFile),
  route(contract.getClicks, requireKey("clicks:read"), 30, getClicks),
  route(contract.listClicks, requireKey("clicks:read"), 30, listClicks, BODY_BOUNDS, isFile),
];
