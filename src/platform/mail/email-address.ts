import { z } from "@hono/zod-openapi";
import { MAX_EMAIL_CHARS } from "./limits.ts";
import { because } from "../http/faults.ts";

const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const LABEL = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?";
/** A top-level domain begins with a letter: `com`, `xn--p1ai`. */
const TOP_LEVEL = "[A-Za-z][A-Za-z0-9-]{0,61}[A-Za-z0-9]";

/** The form of HTML's e-mail field, with a domain of two labels or more, and dots between other characters only. */
const FORM = new RegExp(String.raw`^${ATOM}(?:\.${ATOM})*@(?:${LABEL}\.)+${TOP_LEVEL}$`);

const MESSAGE = because("not_an_email");

/** Says what to write for an address beyond ASCII. */
function beyondAscii(email: string): string {
  const [, name = "", domain = ""] = /^(\p{ASCII}+)@([^@]+)$/u.exec(email) ?? [];
  const hostname = URL.parse(`https://${domain}/`)?.hostname ?? "";
  return FORM.test(`${name}@${hostname}`)
    ? because("email_not_punycode", { suggestion: `${name}@${hostname}` })
    : because("email_not_ascii");
}

/**
 * An e-mail address in a request. Only ASCII, so that two addresses that differ in a letter of another script are never
 * compared as equal. International domains are in Punycode.
 */
export const EmailInput = z
  .string()
  .trim()
  .max(MAX_EMAIL_CHARS)
  .refine((email) => FORM.test(email), {
    error: ({ input }) => (/^\p{ASCII}*$/u.test(String(input)) ? MESSAGE : beyondAscii(String(input))),
  })
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
