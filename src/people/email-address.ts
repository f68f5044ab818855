import { z } from "@hono/zod-openapi";
import { MAX_EMAIL_CHARS } from "./limits.ts";

/**
 * An e-mail address in a request. Only ASCII, so that two addresses that differ in a letter of another script are never
 * compared as equal. International domains are in Punycode.
 */
export const EmailInput = z
  .string()
  .trim()
  .max(MAX_EMAIL_CHARS)
  .pipe(z.email("must be an e-mail address, such as ann@example.com"))
  .openapi({
    type: "string",
    format: "email",
    maxLength: MAX_EMAIL_CHARS,
    description: "An e-mail address, in ASCII.",
    example: "ann@example.com",
  });

/** The form in which addresses are compared. Some servers tell letters of different case apart, but no person does. */
export function emailKey(email: string): string {
  return email.toLowerCase();
}

/** The part behind the last @, in lower case. */
export function emailDomain(email: string): string {
  return emailKey(email).slice(email.lastIndexOf("@") + 1);
}
