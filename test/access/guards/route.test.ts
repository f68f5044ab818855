import { z, createRoute } from "@hono/zod-openapi";
import type { Context } from "hono";
import { expect, it } from "vitest";
import { RATE_LIMITS } from "../../../src/app.ts";
import type { AuthEnv } from "../../../src/platform/auth/principal.ts";
import { requireKey } from "../../../src/access/guards/api-guards.ts";
import { failClosed, route } from "../../../src/access/guards/route.ts";
import { requireSession } from "../../../src/access/guards/session-guards.ts";

const getThing = createRoute({
  method: "get",
  path: "/api/things/{id}",
  request: { params: z.object({ id: z.string() }) },
  responses: {
    200: { description: "A thing.", content: { "application/json": { schema: z.object({ id: z.string() }) } } },
  },
});
const respond = (c: Context<AuthEnv>) => c.json({ id: "1" }, 200);

it("knows the operation and the limit of a route", () => {
  const { limits } = route(getThing, requireKey("links:read"), 30, respond);
  expect(limits).toEqual([{ operation: "GET /api/things/:id", perMinute: 30, failsClosed: false }]);
  const { limits: closed } = route(getThing, requireKey("links:read"), failClosed(5), respond);
  expect(closed).toEqual([{ operation: "GET /api/things/:id", perMinute: 5, failsClosed: true }]);
});

it("does not compile without a limit, an access, or what the handler needs", () => {
  // @ts-expect-error: no limit
  expect(() => route(getThing, requireKey("links:read"), respond)).toBeDefined();
  // @ts-expect-error: nobody may call it
  expect(() => route(getThing, 30, respond)).toBeDefined();
  // @ts-expect-error: no such permission
  expect(() => route(getThing, requireKey("links:count"), 30, respond)).toBeDefined();
  // @ts-expect-error: a session brings no principal
  expect(() => route(getThing, requireSession, 30, respond)).toBeDefined();
  // @ts-expect-error: the contract promises another body
  expect(() => route(getThing, requireKey("links:read"), 30, (c) => c.json({ name: "1" }, 200))).toBeDefined();
  // @ts-expect-error: the table of limits has no such operation
  expect(RATE_LIMITS["GET /api/things/:id"]).toBeUndefined();
});
