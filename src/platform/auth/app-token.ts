import { newToken } from "../lib/token.ts";

/** The beginnings of the tokens of apps. Programs that search for leaked secrets know them by these. */
export const APP_TOKEN_STARTS = { access: "svc_at_", refresh: "svc_rt_", code: "svc_code_" } as const;

export type AppTokenKind = keyof typeof APP_TOKEN_STARTS;

/** A new random token of 256 bits. */
export function newAppToken(kind: AppTokenKind): string {
  return APP_TOKEN_STARTS[kind] + newToken();
}

/** Whether the text has the form of a token of this kind. Other texts are rejected without a database read. */
export function isAppToken(kind: AppTokenKind, text: string): boolean {
  const start = APP_TOKEN_STARTS[kind];
  return text.startsWith(start) && /^[\w-]{43}$/.test(text.slice(start.length));
}
