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
import { mailReportOfToken } from "./stop.ts";
import { endMailReport } from "./store.ts";

const createMailReport: RouteHandler<typeof contract.createMailReport, MemberEnv> = async (c) =>
  c.json({ report: await reports.createMailReport(c.get("context"), c.req.valid("json")) }, 201);

const listMailReports: RouteHandler<typeof contract.listMailReports, MemberEnv> = async (c) =>
  c.json({ reports: await reports.listMailReports(c.get("context")) }, 200);

const updateMailReport: RouteHandler<typeof contract.updateMailReport, MemberEnv> = async (c) => {
  const { id } = c.req.valid("param");
  return c.json({ report: await reports.updateMailReport(c.get("context"), id, c.req.valid("json")) }, 200);
};

const deleteMailReport: RouteHandler<typeof contract.deleteMailReport, MemberEnv> = async (c) => {
  await reports.deleteMailReport(c.get("context"), c.req.valid("param").id);
  return c.json({ success: true as const }, 200);
};

const showStop: RouteHandler<typeof contract.showStop, HttpEnv> = async (c) => {
  const id = await mailReportOfToken(c.env, c.req.valid("query").token);
  if (id === null && isForProgram(c)) throw brokenUrl();
  return showPage(c, id === null ? "broken" : "ask");
};

const stopMailReport: RouteHandler<typeof contract.stopMailReport, HttpEnv> = async (c) => {
  const id = await mailReportOfToken(c.env, c.req.valid("query").token);
  if (id !== null) await endMailReport(c.get("context").db, id);
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
  route(contract.stopMailReport, allowReaders, 30, stopMailReport),
  route(contract.createMailReport, requireMember("clicks:read"), 20, createMailReport),
  route(contract.listMailReports, requireMember("clicks:read"), 60, listMailReports),
  route(contract.updateMailReport, requireMember("clicks:read"), 20, updateMailReport),
  route(contract.deleteMailReport, requireMember("clicks:read"), 20, deleteMailReport),
];
