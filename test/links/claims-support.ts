import { env } from "cloudflare:workers";
import { expect } from "vitest";
import type { Link } from "../../src/links/contract.ts";
import { signUp, type Browser, type Reply } from "../identity/people/support.ts";
import { freshAddress } from "../support/address.ts";

export const URL_OK = "https://example.com/";

export async function shorten(browser: Browser): Promise<Link> {
  browser.address = freshAddress();
  const { status, body } = await browser.post("/api/shorten", { url: URL_OK });
  expect(status).toBe(201);
  return body["link"] as Link;
}

/** Signs in, in the browser that shortened the links. */
export async function signInWith(browser: Browser): Promise<{ account: number; uuid: string }> {
  const person = await signUp();
  for (const [name, value] of person.browser.cookies) browser.cookies.set(name, value);
  const row = await env.DB.prepare("SELECT id, uuid FROM accounts WHERE personal_user_id = ?1")
    .bind(person.userId)
    .first<{ id: number; uuid: string }>();
  return { account: row?.id ?? 0, uuid: row?.uuid ?? "" };
}

export async function claim(browser: Browser, headers: Record<string, string> = {}): Promise<Reply> {
  browser.address = freshAddress();
  return browser.send("POST", "/api/account/claims", { headers });
}

export const linksOf = ({ body }: Reply) => body["links"] as Link[];
