import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { Browser, PASSWORD } from "../people/support.ts";
import type { Person } from "../teams/support.ts";
import { call } from "../../support/api.ts";

export const deleteOwn = ({ browser }: Person, confirm = "Ann Lee") =>
  browser.send("DELETE", "/api/account", { body: { confirm } });
export const restoreOwn = ({ browser }: Person) => browser.post("/api/account/restore");
export const signIn = ({ browser, email }: Person) => browser.post("/api/auth/sign-in", { email, password: PASSWORD });

export async function personalId({ userId }: Person): Promise<number> {
  const id = await env.DB.prepare("SELECT id FROM accounts WHERE personal_user_id = ?1")
    .bind(userId)
    .first<number>("id");
  return id ?? 0;
}

export async function addKey({ browser }: Person, headers: Record<string, string> = {}): Promise<string> {
  const { body } = await browser.post("/api/keys", { name: "Robot" }, { headers });
  return (body["key"] as { value: string }).value;
}

export async function addLink(key: string, slug: string): Promise<void> {
  const response = await call("POST", "/api/links", { key, body: { url: "https://example.com/", slug } });
  expect(response.status).toBe(201);
}

export const visit = async (path: string) => (await call("GET", path)).status;

/** The deletions and restorations in the audit log. */
export async function changesOf(accountId: number): Promise<string[]> {
  const { results } = await env.DB.prepare("SELECT action FROM audit_entries WHERE account_id = ?1 ORDER BY id")
    .bind(accountId)
    .all<{ action: string }>();
  return results.map(({ action }) => action).filter((action) => /delete|restore/.test(action));
}

/** The same session in another browser. */
export function copyOf(browser: Browser): Browser {
  const copy = new Browser();
  for (const [name, value] of browser.cookies) copy.cookies.set(name, value);
  return copy;
}
