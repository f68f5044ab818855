import type { RouteHandler } from "@hono/zod-openapi";
import type { Context, MiddlewareHandler } from "hono";
import { allowAnonymous } from "../../access/guards/api-guards.ts";
import type { MemberEnv } from "../../access/guards/env.ts";
import { route, type Access } from "../../access/guards/route.ts";
import { requireMember } from "../../access/guards/session-guards.ts";
import type { HttpEnv } from "../../platform/http/context.ts";
import { badRequest, unauthorized } from "../../platform/http/errors.ts";
import { preferredType } from "../../platform/lib/accept.ts";
import { preferredLanguage } from "../../redirect/pages/language.ts";
import { pageResponse, PRIVATE_HEADERS } from "../../redirect/pages/page.ts";
import * as contract from "./contract.ts";
import * as reports from "./mail-reports.ts";
import { reportOfToken } from "./stop.ts";
import { endReport } from "./store.ts";

const createReport: RouteHandler<typeof contract.createReport, MemberEnv> = async (c) =>
  c.json({ report: await reports.createReport(c.get("context"), c.req.valid("json")) }, 201);

const listReports: RouteHandler<typeof contract.listReports, MemberEnv> = async (c) =>
  c.json({ reports: await reports.listReports(c.get("context")) }, 200);

const updateReport: RouteHandler<typeof contract.updateReport, MemberEnv> = async (c) => {
  const { id } = c.req.valid("param");
  return c.json({ report: await reports.updateReport(c.get("context"), id, c.req.valid("json")) }, 200);
};

const deleteReport: RouteHandler<typeof contract.deleteReport, MemberEnv> = async (c) => {
  await reports.deleteReport(c.get("context"), c.req.valid("param").id);
  return c.json({ success: true as const }, 200);
};

const showStop: RouteHandler<typeof contract.showStop, HttpEnv> = async (c) => {
  const id = await reportOfToken(c.env, c.req.valid("query").token);
  if (id === null && isForProgram(c)) throw brokenUrl();
  return showPage(c, id === null ? "broken" : "ask");
};

const stopReport: RouteHandler<typeof contract.stopReport, HttpEnv> = async (c) => {
  const id = await reportOfToken(c.env, c.req.valid("query").token);
  if (id !== null) await endReport(c.get("context").db, id);
  if (!isForProgram(c)) return showPage(c, id === null ? "broken" : "stopped");
  if (id === null) throw brokenUrl();
  return c.json({ success: true as const }, 200);
};

const isForProgram = (c: Context<HttpEnv>) =>
  preferredType(c.req.header("Accept"), ["application/json", "text/html"]) === "application/json";

const brokenUrl = () => badRequest("cut_url");

/** The page, with the headers of every response of the API. Its form goes to the page's own URL, which has the token. */
async function showPage(c: Context<HttpEnv>, state: "ask" | "stopped" | "broken"): Promise<Response> {
  const language = preferredLanguage(c.req.raw.headers.get("Accept-Language"));
  const { [language]: texts } = (await import("./stop-texts.ts")).STOP_TEXTS;
  const { title, text } = texts[state];
  const hasForm = state === "ask";
  const form = hasForm ? `<form method="post"><button>${texts.ask.stop}</button></form>` : "";
  const page = { language, title, html: `<p>${text}</p>${form}`, hasForm };
  const incoming = { request: c.req.raw, requestId: c.get("context").requestId };
  const response = pageResponse(incoming, page, state === "broken" ? 400 : 200, PRIVATE_HEADERS);
  return c.newResponse(response.body, response);
}

/** Readers of a mail, who need no session. No path below /api/account takes a key. */
const allowReaders: Access<HttpEnv> = (operation, calls) => {
  const { guards, ...admission } = allowAnonymous(operation, calls);
  return { ...admission, guards: [...guards, refuseKey] };
};

const refuseKey: MiddlewareHandler<HttpEnv> = async (c, next) => {
  if (c.req.header("Authorization") !== undefined)
    throw unauthorized("This URL of a mail takes no API key. Open it without the Authorization header.");
  await next();
};

export const ROUTES = [
  route(contract.showStop, allowReaders, 30, showStop),
  route(contract.stopReport, allowReaders, 30, stopReport),
  route(contract.createReport, requireMember("clicks:read"), 20, createReport),
  route(contract.listReports, requireMember("clicks:read"), 60, listReports),
  route(contract.updateReport, requireMember("clicks:read"), 20, updateReport),
  route(contract.deleteReport, requireMember("clicks:read"), 20, deleteReport),
];
