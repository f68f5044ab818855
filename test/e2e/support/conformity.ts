import type { Answer } from "./http.ts";
import type { Check, Response } from "./openapi.ts";

// Compares a response with the OpenAPI document.

/** Headers that the document has to describe if a response has them. */
const DESCRIBED =
  /^(x-rate|x-request|retry-after|etag|location|allow|set-cookie|idempotent|content-disp|www-auth|accept-enc)/;

/** Returns what differs from the documented headers, or null. Tests have a rate limiter, so its headers are required. */
export function faultOfHeaders(check: Check, { headers = {} }: Response, answer: Answer): string | null {
  for (const [name, { required = name.startsWith("X-RateLimit-"), schema }] of Object.entries(headers)) {
    const value = answer.headers[name.toLowerCase()];
    if (value === undefined && required) return `no header ${name}`;
    const typed = schema.type === "integer" ? Number(value) : [value].flat()[0];
    const fault = value === undefined ? null : check(schema, typed);
    if (fault !== null) return `header ${name}: ${fault}`;
  }
  const names = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const unknown = Object.keys(answer.headers).find((name) => DESCRIBED.test(name) && !names.has(name));
  return unknown === undefined ? null : `the header ${unknown}, which the document does not have`;
}

/** Returns what differs from the documented content, or null. */
export function faultOfBody(check: Check, { content }: Response, answer: Answer): string | null {
  if (content === undefined) return answer.text === "" ? null : "a body that the document does not have";
  const type = answer.headers["content-type"]?.split(";")[0] ?? "";
  const media = content[type];
  if (media === undefined) return "a content type that the document does not have";
  const fault = type === "application/json" ? check(media.schema, answer.json()) : null;
  return fault === null ? null : `not the schema: ${fault}`;
}
