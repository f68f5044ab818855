import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import type { CookieOptions } from "hono/utils/cookie";
import type { HttpEnv } from "./context.ts";

// Cookies for this host only. `__Host-` makes browsers refuse the same cookie from other hosts and over http, so it needs
// https.

export function readHostCookie<E extends HttpEnv>(c: Context<E>, name: string): string | undefined {
  return getCookie(c, fullName(c, name));
}

export function writeHostCookie<E extends HttpEnv>(c: Context<E>, name: string, value: string, ttlMs: number): void {
  setCookie(c, fullName(c, name), value, { ...attributes(c), maxAge: ttlMs / 1_000 });
}

export function deleteHostCookie<E extends HttpEnv>(c: Context<E>, name: string): void {
  deleteCookie(c, fullName(c, name), attributes(c));
}

function isSecure<E extends HttpEnv>(c: Context<E>): boolean {
  return c.get("context").baseUrl.startsWith("https:");
}

function fullName<E extends HttpEnv>(c: Context<E>, name: string): string {
  return isSecure(c) ? `__Host-${name}` : name;
}

function attributes<E extends HttpEnv>(c: Context<E>): CookieOptions {
  return { path: "/", httpOnly: true, sameSite: "Lax", secure: isSecure(c) };
}
