import { MAX_ERROR_MESSAGE_CHARS, MAX_ERROR_PATH_CHARS, MAX_ERROR_VALUE_CHARS } from "./limits.ts";
import type { Because, FaultCode, FaultValues, FieldFaultCode, ValueArguments } from "./fault-codes.ts";
import { FIELD_FAULTS, REFUSALS } from "./fault-sentences.ts";

export {
  because,
  type Because,
  type FaultCode,
  type FaultValues,
  type FieldFaultCode,
  type RefusalCode,
  type ValueArguments,
} from "./fault-codes.ts";

const SENTENCES = { ...FIELD_FAULTS, ...REFUSALS };

export const FAULT_CODES = Object.keys(SENTENCES) as [FaultCode, ...FaultCode[]];

/** What is wrong, with the values of its sentence. `path` is the field, or empty. */
export interface Fault extends FaultValues {
  path: string;
  code: FaultCode;
  /** The English sentence. That of a field continues its name. */
  message: string;
}

export function fault<C extends FaultCode>(path: string, code: C, ...[values]: ValueArguments<C>): Fault {
  return toFault(path, code, values ?? {});
}

function toFault(path: string, code: FaultCode, given: FaultValues): Fault {
  const shortened = Object.entries(given).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === "string" ? shorten(value, MAX_ERROR_VALUE_CHARS) : value,
  ]);
  const values = Object.fromEntries(shortened) as FaultValues;
  const sentence = SENTENCES[code] as string | ((values: FaultValues) => string);
  const message = typeof sentence === "string" ? sentence : sentence(values);
  return {
    path: shorten(path, MAX_ERROR_PATH_CHARS),
    code,
    message: shorten(message, MAX_ERROR_MESSAGE_CHARS),
    ...values,
  };
}

/** The fault at the path. */
export function readBecause(path: string, message: Because): Fault {
  const { code, ...values } = JSON.parse(message) as FaultValues & { code: FieldFaultCode };
  return toFault(path, code, values);
}

export const isBecause = (message: string): message is Because => message.startsWith("{");

/** The fault of an issue of zod. Messages of zod itself are `invalid`. */
export function readIssue(path: string, message: string): Fault {
  return isBecause(message) ? readBecause(path, message) : fault(path, "invalid");
}

function shorten(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : `${text.slice(0, maxChars).toWellFormed()}…`;
}
