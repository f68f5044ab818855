import type { RouteHandler } from "@hono/zod-openapi";
import type { AuthEnv } from "../../platform/auth/principal.ts";
import { requireKey } from "../../access/guards/api-guards.ts";
import { route } from "../../access/guards/route.ts";
import { readPage, toPage } from "../../platform/http/pagination.ts";
import * as contract from "./contract.ts";
import * as notes from "./notes.ts";
import * as store from "./store.ts";

const createNote: RouteHandler<typeof contract.createNote, AuthEnv> = async (c) =>
  c.json({ note: await notes.createNote(c.get("context"), c.req.valid("json")) }, 201);

const ORDER = "notes";

const listNotes: RouteHandler<typeof contract.listNotes, AuthEnv> = async (c) => {
  const { db, principal } = c.get("context");
  const page = readPage(c.req.valid("query"), ORDER);
  const rows = await store.listNotes(db, principal.accountId, page);
  const { items, nextCursor } = toPage(rows, page, ORDER, ({ id }) => id);
  return c.json({ notes: items.map(store.toNote), nextCursor }, 200);
};

const updateNote: RouteHandler<typeof contract.updateNote, AuthEnv> = async (c) => {
  const { id } = c.req.valid("param");
  return c.json({ note: await notes.updateNote(c.get("context"), id, c.req.valid("json")) }, 200);
};

const deleteNote: RouteHandler<typeof contract.deleteNote, AuthEnv> = async (c) => {
  await notes.deleteNote(c.get("context"), c.req.valid("param").id);
  return c.json({ success: true as const }, 200);
};

export const ROUTES = [
  route(contract.createNote, requireKey("links:write"), 20, createNote),
  route(contract.listNotes, requireKey("links:read"), 60, listNotes),
  route(contract.updateNote, requireKey("links:write"), 20, updateNote),
  route(contract.deleteNote, requireKey("links:write"), 20, deleteNote),
];
