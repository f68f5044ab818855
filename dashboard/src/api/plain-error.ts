import type { Because, FaultCode } from "#src/platform/http/fault-codes.ts";
import { fieldFaults } from "../texts/en/field-faults.ts";
import { plainErrors } from "../texts/en/plain-errors.ts";
import { refusals } from "../texts/en/refusals.ts";
import type { Detail, ErrorBody, Fault } from "./error-body.ts";
import { TECHNICAL_FIELDS, TECHNICAL_REFUSALS } from "./fault-texts.ts";

type Values = Omit<Fault, "path" | "code" | "message">;
type Texts = Partial<Record<string, string | ((values: never) => string)>>;

const FIELD_FAULTS: Texts = fieldFaults;
const REFUSALS: Texts = refusals;
const CODES: Partial<Record<string, string>> = plainErrors.codes;
const FIELDS: Partial<Record<string, string>> = plainErrors.fields;
const { entry, invalid, inFile, named, other, technical } = plainErrors;
const ALIKE: Partial<Record<string, keyof typeof technical>> = TECHNICAL_FIELDS;
const KINDS: Partial<Record<string, string | null>> = TECHNICAL_REFUSALS;

/** What is in files that people write in JSON themselves. Its place has no other name. */
const IN_FILE = /^(?:appleAppSiteAssociation|assetLinks)\.(.+)$/s;

/** The error of a response in words for people who use the pages. */
export function plainError(body: ErrorBody): ErrorBody {
  const details = body.details?.map((fault) => plainFault(fault, body.code));
  const [first] = details ?? [];
  const error = first === undefined ? textOfKind(body.code) : toSentence(first);
  return { ...body, error, ...(details !== undefined && { details }) };
}

/** Why a field is refused. It continues the field's name. */
export function plainReason(because: Because): string {
  const { code, ...values } = JSON.parse(because) as Values & { code: FaultCode };
  return textOf(FIELD_FAULTS, code, values) ?? invalid;
}

/** Why a job failed, in a sentence; null if the service says no reason. */
export const plainFailure = (fault: Fault | null): string | null =>
  fault === null ? null : toSentence(plainFault(fault, "invalid_request"));

function plainFault({ path, code, ...values }: Fault, kind: string): Detail {
  const own = { path, code };
  const refusal = textOf(REFUSALS, code, values) ?? textOfRequest(code, kind);
  if (refusal !== undefined) return { ...own, message: refusal, isSentence: true };
  const alike = ALIKE[code];
  const reason = textOf(FIELD_FAULTS, code, values) ?? (alike === undefined ? undefined : technical[alike]);
  // What has no text is newer than the page.
  if (reason === undefined && path === "") return { ...own, message: textOfKind(kind), isSentence: true };
  const place = IN_FILE.exec(path)?.[1];
  const message = reason ?? invalid;
  return { ...own, message: place === undefined ? message : inFile(message, place), isSentence: false };
}

function textOfRequest(code: FaultCode, kind: string): string | undefined {
  const shown = KINDS[code];
  return shown === undefined ? undefined : textOfKind(shown ?? kind);
}

function textOf(texts: Texts, code: FaultCode, values: Values): string | undefined {
  const text = texts[code];
  return typeof text === "function" ? text(inWords(values) as never) : text;
}

/** The values with the names of fields in words. */
const inWords = ({ field, allowed, ...values }: Values): Values => ({
  ...values,
  ...(field !== undefined && { field: wordOf(field) ?? other }),
  ...(allowed !== undefined && { allowed: allowed.map((each) => FIELDS[each] ?? each) }),
});

const textOfKind = (kind: string): string => CODES[kind] ?? plainErrors.codes.internal;

const toSentence = ({ path, message, isSentence }: Detail): string =>
  isSentence === true ? message : `${nameOf(path)} ${message}.`;

function nameOf(path: string): string {
  const word = wordOf(path);
  return word === undefined ? entry : named(word);
}

/** The field at a path such as `rules.0.url`, in words. */
function wordOf(path: string): string | undefined {
  const name = path.split(".").findLast((part) => Object.hasOwn(FIELDS, part));
  return name === undefined ? undefined : FIELDS[name];
}
