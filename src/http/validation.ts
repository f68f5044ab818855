import type { Hook } from "@hono/zod-openapi";
import { z } from "@hono/zod-openapi";
import { DAY_MS } from "../duration.ts";
import { MAX_TIMESTAMP_MS } from "../limits.ts";
import { MAX_ERROR_DETAILS } from "./limits.ts";
import type { HttpEnv } from "./context.ts";
import { invalidRequest, type ErrorDetail } from "./errors.ts";
import { suggestName } from "./suggest-name.ts";

type Issue = z.core.$ZodIssue;

/** Turns zod's issues into a 400 with one detail for each field. */
export const onInvalid: Hook<unknown, HttpEnv, string, unknown> = (result) => {
  if (!result.success) throw invalidRequest(faultsOf(result.error));
};

/** The invalid fields and the reasons, at most {@link MAX_ERROR_DETAILS}. */
export function faultsOf(error: z.core.$ZodError): ErrorDetail[] {
  const { issues } = error;
  // A text in place of a list has a length too, which zod compares with that of the list.
  const wrongTypes = new Set(issues.filter(({ code }) => code === "invalid_type").map(({ path }) => path.join(".")));
  const relevant: Issue[] = [];
  for (const issue of issues) {
    if (relevant.length === MAX_ERROR_DETAILS) break;
    if (issue.code === "invalid_type" || !wrongTypes.has(issue.path.join("."))) relevant.push(issue);
  }
  return suggestionsFirst(relevant.flatMap(toDetails)).slice(0, MAX_ERROR_DETAILS);
}

/** Moves `long_url: did you mean url?` before `url: is required`: the first detail is the sentence that people read. */
function suggestionsFirst(details: ErrorDetail[]): ErrorDetail[] {
  const missing = new Set(details.filter(({ message }) => message === REQUIRED).map(({ path }) => path));
  const explains = ({ path, message }: ErrorDetail) => {
    const meant = /; did you mean (\w+)\?$/.exec(message)?.[1];
    return meant !== undefined && missing.has([...path.split(".").slice(0, -1), meant].join("."));
  };
  return missing.size === 0 ? details : [...details.filter(explains), ...details.filter((detail) => !explains(detail))];
}

function toDetails(issue: Issue): ErrorDetail[] {
  const path = issue.path.map(String);
  if (issue.code !== "unrecognized_keys") return [{ path: path.join("."), message: issue.message }];
  const messages = issue.message.split("\n");
  return issue.keys
    .slice(0, MAX_ERROR_DETAILS)
    .map((key, index) => ({ path: [...path, key].join("."), message: messages[index] ?? "" }));
}

// Messages for issues without their own. They continue a sentence that begins with the field's name.
z.config({ customError: (issue) => describe(issue) });

function describe(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === "invalid_type") return describeType(issue.expected, issue.input) + listHint(issue);
  if (issue.code === "invalid_value" && Array.isArray(issue.input)) return describeType("string", issue.input);
  if (issue.code === "invalid_value") return `must be one of ${issue.values.join(", ")}`;
  if (issue.code === "too_small") return describeBound(issue.origin, "at least", Number(issue.minimum));
  if (issue.code === "too_big") return describeBound(issue.origin, "at most", Number(issue.maximum));
  if (issue.code === "unrecognized_keys") return describeUnknown(issue);
  if (issue.code === "invalid_key") return issue.issues[0]?.message;
  return undefined;
}

/** A line for each unknown field or parameter, at most {@link MAX_ERROR_DETAILS}. */
function describeUnknown({ keys, inst, input = {} }: z.core.$ZodRawIssue<z.core.$ZodIssueUnrecognizedKeys>): string {
  const shape = inst instanceof z.ZodObject ? inst.shape : {};
  const missing = Object.keys(shape).filter((name) => !Object.hasOwn(input, name));
  const lines = keys.slice(0, MAX_ERROR_DETAILS).map((key) => {
    const meant = suggestName(key, missing);
    return `is not known here; ${meant === null ? "remove it or correct its name" : `did you mean ${meant}?`}`;
  });
  return lines.join("\n");
}

const TYPE_NAMES: Record<string, string> = {
  array: "an array",
  boolean: "true or false",
  int: "a whole number",
  number: "a number",
  object: "an object",
  string: "a string",
};

/** Such as `: {"links": […]}`, where the bare list was given. */
function listHint({ input, inst }: z.core.$ZodRawIssue): string {
  if (!Array.isArray(input) || !(inst instanceof z.ZodObject)) return "";
  const [name, ...others] = Object.keys(inst.shape).filter((key) => inst.shape[key] instanceof z.ZodArray);
  return name === undefined || others.length > 0 ? "" : `: {"${name}": […]}`;
}

const REQUIRED = "is required";

function describeType(expected: string, input: unknown): string {
  if (input === undefined) return REQUIRED;
  if (expected === "string" && Array.isArray(input)) return "must be a single string, given once";
  return `must be ${TYPE_NAMES[expected] ?? expected}`;
}

const UNITS: Record<string, [one: string, many: string]> = {
  string: ["character", "characters"],
  array: ["item", "items"],
};

function describeBound(origin: string, side: "at least" | "at most", bound: number): string {
  const unit = UNITS[origin];
  return unit === undefined ? `must be ${side} ${bound}` : `must have ${side} ${bound} ${unit[bound === 1 ? 0 : 1]}`;
}

const CONTROL_CHARACTER = /\p{Cc}/u;

/** One line of text without control characters or invalid Unicode. Surrounding spaces are removed. */
export function lineOfText(maxChars: number) {
  return bounded(z.string().trim(), maxChars);
}

/**
 * As {@link lineOfText}, in NFC and without {@link DIRECTIONS}: for text that people read. URLs, ids and secrets must stay as
 * they are.
 */
export function lineOfProse(maxChars: number) {
  return bounded(z.string().overwrite(withoutDirections).trim().normalize("NFC"), maxChars);
}

/** Characters that turn the text after them, so that it reads as another one (Unicode Technical Report 36, 2.9). */
const DIRECTIONS = /[\u202a-\u202e\u2066-\u2069]/gu;

function withoutDirections(text: string): string {
  return text.replaceAll(DIRECTIONS, "");
}

function bounded(text: z.ZodString, maxChars: number) {
  return text
    .min(1, "must not be empty")
    .max(maxChars, `must have at most ${maxChars} characters`)
    .refine(isTypeable, "must not contain line breaks or unreadable characters");
}

/** Whether the text is a single line of valid Unicode. */
export function isTypeable(text: string): boolean {
  return text.isWellFormed() && !CONTROL_CHARACTER.test(text);
}

const ISO_DATE = z.iso.date();
const ISO_TIMES = [z.iso.datetime({ offset: true }), z.iso.datetime({ offset: true, precision: -1 })];

/** Returns Unix milliseconds, or NaN for a text that is no time. A day without a time is `dayOffsetMs` after its start in UTC. */
function parseTime(text: string, dayOffsetMs: number): number {
  if (ISO_DATE.safeParse(text).success && Date.parse(text) >= 0)
    return Math.min(Date.parse(text) + dayOffsetMs, MAX_TIMESTAMP_MS);
  return ISO_TIMES.some((form) => form.safeParse(text).success) ? Date.parse(text) : Number.NaN;
}

function timeInput(dayOffsetMs: number, day: string) {
  return z
    .union([z.number().openapi({ type: "integer" }), z.string()], { error: "must be a time: a number or a string" })
    .transform((time) => (typeof time === "number" ? time : parseTime(time, dayOffsetMs)))
    .refine(
      (time) => Number.isInteger(time) && time >= 0 && time <= MAX_TIMESTAMP_MS,
      "must be a time that exists, from 1970 to 9999: an integer (Unix milliseconds), ISO 8601 with Z or an offset such as 2030-01-31T12:00Z, or a day such as 2030-01-31",
    )
    .openapi({
      example: 1_900_000_000_000,
      description: `Unix milliseconds, or ISO 8601 with Z or an offset. A day such as 2030-01-31 is ${day} in UTC.`,
    });
}

/** A time in a request, parsed to Unix milliseconds. A day is its first moment: for lower bounds. */
export const StartTimeInput = timeInput(0, "its beginning");

/** As {@link StartTimeInput}; a day is its last millisecond: for times up to which something holds, such as `expiresAt`. */
export const LastTimeInput = timeInput(DAY_MS - 1, "its end");

/** As {@link StartTimeInput}; a day is the beginning of the next one: for exclusive upper bounds, so that they include it. */
export const EndTimeInput = timeInput(DAY_MS, "its end");

/** A time in a response: Unix milliseconds. */
export const Timestamp = z.number().int().openapi({ description: "Unix milliseconds", example: 1_790_000_000_000 });

/** Whether a body that changes something has at least one field. */
export const hasChange = (changes: object) => Object.values(changes).some((value) => value !== undefined);

/** The body of a request that changes at least one of the optional fields. */
export function changesOf<S extends z.ZodRawShape>(name: string, fields: S, example: Record<string, unknown>) {
  return z
    .strictObject(fields)
    .refine(hasChange, "give a field to change")
    .openapi(name, { description: "The changed fields.", minProperties: 1, example });
}
