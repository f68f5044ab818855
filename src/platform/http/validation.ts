import type { Hook } from "@hono/zod-openapi";
import { z } from "@hono/zod-openapi";
import { DAY_MS, MAX_TIMESTAMP_MS } from "../../limits.ts";
import { MAX_ERROR_DETAILS } from "./limits.ts";
import type { HttpEnv } from "./context.ts";
import { invalidRequest } from "./errors.ts";
import { isJsonType } from "./fault-sentences.ts";
import { because, isBecause, readIssue, type Fault } from "./faults.ts";
import { suggestName } from "./suggest-name.ts";

type Issue = z.core.$ZodIssue;

/** Turns zod's issues into a 400 with one detail for each field. */
export const onInvalid: Hook<unknown, HttpEnv, string, unknown> = (result) => {
  if (!result.success) throw invalidRequest(faultsOf(result.error));
};

/** The invalid fields and the reasons, at most {@link MAX_ERROR_DETAILS}. */
export function faultsOf(error: z.core.$ZodError): Fault[] {
  const { issues } = error;
  // A text in place of a list has a length too, which zod compares with that of the list.
  const wrongTypes = new Set(issues.filter(({ code }) => code === "invalid_type").map(({ path }) => path.join(".")));
  const relevant: Issue[] = [];
  for (const issue of issues) {
    if (relevant.length === MAX_ERROR_DETAILS) break;
    if (issue.code === "invalid_type" || !wrongTypes.has(issue.path.join("."))) relevant.push(issue);
  }
  return suggestionsFirst(relevant.flatMap(toFaults)).slice(0, MAX_ERROR_DETAILS);
}

/** Moves `long_url: did you mean url?` before `url: is required`: the first fault is the sentence that people read. */
function suggestionsFirst(faults: Fault[]): Fault[] {
  const missing = new Set(faults.filter(({ code }) => code === "required").map(({ path }) => path));
  const explains = ({ path, suggestion }: Fault) =>
    suggestion !== undefined && missing.has([...path.split(".").slice(0, -1), suggestion].join("."));
  return missing.size === 0 ? faults : [...faults.filter(explains), ...faults.filter((each) => !explains(each))];
}

function toFaults(issue: Issue): Fault[] {
  const path = issue.path.map(String);
  const branch = issue.code === "invalid_union" && !isBecause(issue.message) ? closestBranch(issue.errors) : null;
  if (branch !== null) return branch.flatMap((each) => toFaults({ ...each, path: [...issue.path, ...each.path] }));
  if (issue.code !== "unrecognized_keys") return [readIssue(path.join("."), issue.message)];
  const messages = issue.message.split("\n");
  return issue.keys
    .slice(0, MAX_ERROR_DETAILS)
    .map((key, index) => readIssue([...path, key].join("."), messages[index] ?? ""));
}

/** The issues of the branch of a union that the value was probably meant for; null if it has the type of none. */
function closestBranch(branches: readonly Issue[][]): Issue[] | null {
  const ofType = branches.filter((issues) =>
    issues.every(({ code, path }) => code !== "invalid_type" || path.length > 0),
  );
  // A list of wrong words is none of the words of another branch, either: what is said of its items comes first.
  const rankOf = (issues: Issue[]) =>
    Math.max(...issues.map(({ code, path }) => (path.length === 0 && code === "invalid_value" ? -1 : path.length)));
  const [closest] = ofType.toSorted((a, b) => rankOf(b) - rankOf(a) || a.length - b.length);
  return closest ?? null;
}

// Faults for issues without their own.
z.config({ customError: (issue) => describe(issue) });

function describe(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === "invalid_type") return describeType(issue);
  if (issue.code === "invalid_value") return describeValue(issue);
  if (issue.code === "invalid_union") return describeUnion(issue);
  if (issue.code === "too_small") return describeBound(BELOW, issue.origin, "min", Number(issue.minimum));
  if (issue.code === "too_big") return describeBound(ABOVE, issue.origin, "max", Number(issue.maximum));
  if (issue.code === "unrecognized_keys") return describeUnknown(issue);
  if (issue.code === "invalid_key") return issue.issues[0]?.message;
  return undefined;
}

function describeValue({ input, values }: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidValue>): string {
  if (input === undefined) return because("required");
  if (Array.isArray(input)) return because("given_twice");
  return because("not_one_of", { allowed: values.map((value) => (typeof value === "number" ? value : String(value))) });
}

/** What is wrong with a value that has the type of no branch. The faults of the others are those of a branch. */
function describeUnion(issue: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidUnion>): string | undefined {
  const { input, errors } = issue;
  if (input === undefined) return because("required");
  if ("options" in issue) return describeKind(issue as KindIssue);
  const allowed = errors.flat().flatMap((issue) => (issue.code === "invalid_type" ? [typeOf(issue.expected)] : []));
  const types = [...new Set(allowed)].filter((type) => isJsonType(type));
  return closestBranch(errors) === null && types.length > 0 ? because("none_of_types", { allowed: types }) : undefined;
}

type KindIssue = Extract<z.core.$ZodIssueInvalidUnion, { options?: unknown }>;

/** The name of a kind, by which a discriminated union tells its branches apart, is missing or unknown. */
function describeKind({ input, discriminator = "", options = [] }: KindIssue): string {
  if ((input as Record<string, unknown>)[discriminator] === undefined) return because("required");
  return because("not_one_of", { allowed: options.map(String) });
}

/** A record is an object whose names are not known before. */
const typeOf = (expected: string): string => (expected === "record" ? "object" : expected);

/** A line for each unknown field or parameter, at most {@link MAX_ERROR_DETAILS}. */
function describeUnknown({ keys, inst, input = {} }: z.core.$ZodRawIssue<z.core.$ZodIssueUnrecognizedKeys>): string {
  const shape = inst instanceof z.ZodObject ? inst.shape : {};
  const missing = Object.keys(shape).filter((name) => !Object.hasOwn(input, name));
  const lines = keys.slice(0, MAX_ERROR_DETAILS).map((key) => {
    const suggestion = suggestName(key, missing);
    return because("unknown_field", suggestion === null ? {} : { suggestion });
  });
  return lines.join("\n");
}

function describeType(issue: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidType>): string {
  const { input, inst } = issue;
  if (input === undefined) return because("required");
  const expected = typeOf(issue.expected);
  if (expected === "int") return because("not_whole");
  if (expected === "string" && Array.isArray(input)) return because("given_twice");
  if (!isJsonType(expected)) return because("invalid");
  const example = Array.isArray(input) ? listExample(inst) : null;
  return because("wrong_type", example === null ? { expected } : { expected, example });
}

/** Such as `{"links": […]}`, where the bare list was given. */
function listExample(inst: unknown): string | null {
  if (!(inst instanceof z.ZodObject)) return null;
  const [name, ...others] = Object.keys(inst.shape).filter((key) => inst.shape[key] instanceof z.ZodArray);
  return name === undefined || others.length > 0 ? null : `{"${name}": […]}`;
}

const BELOW = { string: "too_short", array: "too_few", number: "too_small" } as const;
const ABOVE = { string: "too_long", array: "too_many", number: "too_large" } as const;

function describeBound(codes: typeof BELOW | typeof ABOVE, origin: string, side: "min" | "max", bound: number): string {
  if (codes === BELOW && origin !== "number" && bound === 1) return because("empty");
  const code = codes[origin === "string" || origin === "array" ? origin : "number"];
  return JSON.stringify({ code, [side]: bound });
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
  return text.min(1).max(maxChars).refine(isTypeable, because("unreadable"));
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
    .union([z.number().openapi({ type: "integer" }), z.string()], {
      error: ({ input }) => because(input === undefined ? "required" : "not_a_time"),
    })
    .transform((time) => (typeof time === "number" ? time : parseTime(time, dayOffsetMs)))
    .refine((time) => Number.isInteger(time) && time >= 0 && time <= MAX_TIMESTAMP_MS, because("not_a_time"))
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
    .refine(hasChange, because("nothing_given"))
    .openapi(name, { description: "The changed fields.", minProperties: 1, example });
}
