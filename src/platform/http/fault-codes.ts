import type { FIELD_FAULTS, REFUSALS, Resource } from "./fault-sentences.ts";

// The codes of faults without their sentences: modules that the pages share with the service import this one.

type Sentences = typeof FIELD_FAULTS & typeof REFUSALS;

export type FaultCode = keyof Sentences;
export type FieldFaultCode = keyof typeof FIELD_FAULTS;
export type RefusalCode = keyof typeof REFUSALS;

/** The values of the sentences. Each code has its own. */
export interface FaultValues {
  /** What is accepted. */
  allowed?: (string | number)[];
  /** The size or number that the request has. */
  actual?: number;
  /** An IP address. */
  address?: string;
  /** A place: the number of a character, a line or an object, from 1. */
  at?: number;
  column?: number;
  days?: number;
  example?: string;
  expected?: string;
  /** Another field. */
  field?: string;
  level?: string;
  line?: number;
  max?: number;
  maxDepth?: number;
  maxHosts?: number;
  min?: number;
  reason?: string;
  resource?: Resource;
  /** What was probably meant. */
  suggestion?: string;
  unit?: string;
  /** The part of the request, or the thing, that the sentence names. */
  value?: string;
}

type ValuesOf<C extends FaultCode> = Sentences[C] extends (values: infer V) => string ? V : never;

/** The values that a call gives with a code: none if its sentence has none. */
export type ValueArguments<C extends FaultCode> = [ValuesOf<C>] extends [never]
  ? []
  : Partial<ValuesOf<C>> extends ValuesOf<C>
    ? [values?: ValuesOf<C>]
    : [values: ValuesOf<C>];

/** A code with its values, as the message of an issue of zod: `readBecause` (faults.ts) makes a fault of it. */
export type Because = string & { readonly isBecause: true };

export function because<C extends FieldFaultCode>(code: C, ...[values]: ValueArguments<C>): Because {
  return JSON.stringify({ ...(values as FaultValues | undefined), code }) as Because;
}
