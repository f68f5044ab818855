import { env } from "cloudflare:workers";
import { expect } from "vitest";
import * as memoryCache from "#src/redirect/lookup/memory-cache.ts";
import { enrolled } from "../identity/people/factors.ts";
import type { Browser } from "../identity/people/support.ts";

export const addOperator = (userId: string) =>
  env.DB.prepare("INSERT INTO operators VALUES (?1, 0)").bind(userId).run();

/** A person who is an operator, and gave a second factor. */
export async function makeOperator(): Promise<{ browser: Browser; userId: string; email: string }> {
  const person = await enrolled();
  await addOperator(person.userId);
  return person;
}

export const send = ({ browser }: { browser: Browser }, method: string, path: string, body?: unknown) =>
  browser.send(method, path, { body: body ?? (method === "POST" ? {} : undefined) });

export async function takeDown(operator: { browser: Browser }, body: object): Promise<{ id: string; value: string }> {
  const reply = await send(operator, "POST", "/api/admin/takedowns", { reason: "phishing", ...body });
  expect([reply.status, reply.body]).toMatchObject([201, {}]);
  memoryCache.clear();
  return reply.body["takedown"] as { id: string; value: string };
}
