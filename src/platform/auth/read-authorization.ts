import { APP_TOKEN_STARTS } from "./app-token.ts";
import { isKeyShaped, KEY_CHARS, KEY_START } from "./key.ts";

/** The key of a request, or what is wrong with the headers. No message repeats what may be a part of a key. */
export type GivenKey = { key: string; fault?: never } | { key?: never; fault: string };

/** Headers in which other services take a key. Here a key in them is an error, and not an anonymous call. */
const OTHER_KEY_HEADERS = ["X-API-Key", "API-Key", "X-Auth-Token"];

const FORM = "Authorization: Bearer <key>";
const INVALID = "This API key is not valid.";

/** The first header of {@link OTHER_KEY_HEADERS} that the request has. */
export function otherKeyHeader(headers: Headers): string | undefined {
  return OTHER_KEY_HEADERS.find((name) => headers.get(name));
}

export function readAuthorization(headers: Headers): GivenKey {
  const header = headers.get("Authorization");
  if (header === null) {
    const other = otherKeyHeader(headers);
    if (other === undefined) return { fault: `An API key is required. Send the header ${FORM}.` };
    return { fault: `A key in the header ${other} is not read. Send the header ${FORM}.` };
  }
  const [, key] = /^Bearer +(\S+)$/i.exec(header) ?? [];
  if (key === undefined) return { fault: faultOfHeader(header.trim()) };
  return isKeyShaped(key) ? { key } : { fault: faultOfKey(key) };
}

function faultOfHeader(header: string): string {
  const form = `The Authorization header must have the form: Bearer <key>.`;
  const [scheme = "", ...rest] = header.split(/\s+/);
  if (scheme === "") return `The Authorization header is empty. Send ${FORM}.`;
  if (/^["'`‘’“”]/u.test(scheme)) return `The Authorization header is in quotes. Send it without: ${FORM}.`;
  if (scheme.startsWith(KEY_START))
    return `The Authorization header lacks the word Bearer before the key. Send ${FORM}.`;
  if (scheme.toLowerCase() === "basic") return `An API key is not sent with Basic. ${form}`;
  if (!/^bearer:?$/i.test(scheme)) return form;
  if (rest.length === 0) return `The Authorization header has no key after Bearer. Is the variable with the key empty?`;
  if (/^bearer$/i.test(rest[0] ?? "")) return "The Authorization header says Bearer twice. Once is enough.";
  return form;
}

function faultOfKey(text: string): string {
  if (/^["'`‘’“”<].*["'`‘’“”>]$/u.test(text))
    return "The key in the Authorization header is in quotes or brackets. Send it without.";
  if (/^(?:\$|\{\{|%\w+%$)/.test(text))
    return "The Authorization header has the name of a variable in place of the key. In a shell, write the header in double quotes.";
  if (text.startsWith("whsec_")) return `${INVALID} It is the secret of a webhook.`;
  if (Object.values(APP_TOKEN_STARTS).some((start) => text.startsWith(start)))
    return `${INVALID} It is the token of an app, which cannot be used for this.`;
  if (!text.startsWith(KEY_START)) return `${INVALID} A key begins with ${KEY_START}.`;
  if (text.length !== KEY_CHARS)
    return `${INVALID} It has ${text.length} characters in place of ${KEY_CHARS}. Check that it was copied completely.`;
  return `${INVALID} Check that it was copied completely.`;
}
