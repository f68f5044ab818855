import { randomBytes } from "node:crypto";
import { isCountry } from "../../../src/links/normalize.ts";
import type { Schema } from "../../../test/e2e/support/schema-values.ts";

// The largest value that a schema of the contracts permits, with the content that takes the most work.

/** Values by the names of fields and parameters, such as ids of resources that exist. `n` is the number of the item in a list. */
export type Named = Record<string, (n: number, schema: Schema) => unknown>;

/** What the service has refused so far, by path, such as `rules.*.url`, and how often. */
export type Refused = Map<string, number>;

/** At the first refusal the example of the schema is taken; from this one on, nothing. */
export const LEFT_OUT = 2;

/** How long the lists in a value are, as a share of the longest ones, and the texts in them. */
interface Size {
  share: number;
  chars: number;
}

interface Recipe {
  schemas: Record<string, Schema>;
  named: Named;
  refused: Refused;
}

const LETTERS = Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZ");
const COUNTRIES = LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).filter(isCountry);
const countryOf = (n: number) => COUNTRIES[n % COUNTRIES.length] ?? "";

const LEAST_SHARE = 1 / 128;
/** Shares that are tried between the largest that fits and its double. */
const STEPS = 32;
/** Of texts in lists: their number costs more than their length. What is left of the bytes then makes them longer. */
const LONGER_CHARS = [4_096, 2_048, 1_024, 512, 256, 128];
const LISTED_CHARS = 40;
const UNBOUNDED_CHARS = 40;
/** Records whose schema has no bound are those by country. */
const MOST_MEMBERS = 100;
/** Of a body, left for differences between values that are made anew. */
const SPARE = 0.02;
/** A time after that of the service, and later for what ends: `startsAt` is before `endsAt`. */
const LATER_MS = 1_900_000_000_000;
const isEnd = (path: string) => /(end|expires|Before)/.test(path.split(".").at(-1) ?? "");

const TEXT = randomBytes(1_000_000).toString("hex");

/** Letters without repetition, so that the search index gets as many terms as possible. */
export function randomText(chars: number): string {
  const at = Math.floor(Math.random() * (TEXT.length - chars));
  return TEXT.slice(at, at + chars);
}

/** Returns the largest value that fits. */
export function largestOf(
  schema: Schema,
  recipe: Recipe,
  { maxBytes, maxValues }: { maxBytes: number; maxValues: number },
): unknown {
  const make = (share: number, chars = LISTED_CHARS) => valueOf(schema, { ...recipe, share, chars }, "", 0);
  const fits = (value: unknown) =>
    Buffer.byteLength(JSON.stringify(value) ?? "") <= maxBytes * (1 - SPARE) &&
    countValues(value) <= maxValues * (1 - SPARE);
  let share = 0;
  for (let next = LEAST_SHARE; next <= 1 && fits(make(next)); next *= 2) share = next;
  if (share === 1) return make(share);
  for (let step = share / 2; step > share / STEPS; step /= 2) if (fits(make(share + step))) share += step;
  for (const chars of LONGER_CHARS) {
    const longer = make(share, chars);
    if (fits(longer)) return longer;
  }
  return make(share);
}

export function countValues(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce<number>((sum, each) => sum + countValues(each), 1);
}

function valueOf(given: Schema, recipe: Recipe & Size, path: string, n: number): unknown {
  const schema = resolve(given, recipe);
  const again = (part: Schema) => valueOf(part, recipe, path, n);
  const refusals = recipe.refused.get(path) ?? 0;
  if (refusals >= LEFT_OUT) return undefined;
  if (refusals > 0) return schema.example;
  const type = [schema.type ?? []].flat().find((each) => each !== "null");
  const name =
    path
      .replace(/(^|\.)\*$/, "")
      .split(".")
      .at(-1) ?? "";
  const named = recipe.named[name];
  if (named !== undefined && type !== "array" && type !== "object") return named(n, schema);
  if (schema.enum !== undefined) return schema.enum.filter((each) => each !== null).at(-1 - n);
  const choices = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].filter((choice) => choice.type !== "null");
  if (typeof schema.example === "number" && choices.length > 0) return isEnd(path) ? 2 * LATER_MS : LATER_MS;
  const lengthOf = (value: unknown) => JSON.stringify(value)?.length ?? 0;
  if (choices.length > 0) return choices.map(again).sort((a, b) => lengthOf(b) - lengthOf(a))[0];
  if (schema.allOf !== undefined) return Object.assign({}, ...schema.allOf.map(again));
  if (type === "array") return listOf(schema, recipe, path);
  if (type === "object") return objectOf(schema, recipe, path);
  if (type === "boolean") return true;
  if (type === "integer") return schema.maximum ?? 1;
  if (type === "number") return (schema.maximum ?? schema.exclusiveMaximum ?? 2) - 1;
  return type === "string" ? textOf(schema, recipe, path, n) : {};
}

const resolve = (schema: Schema, { schemas }: Recipe): Schema =>
  schema.$ref === undefined ? schema : (schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {});

/** At least one item, and as many of the most as the share says. */
const numberOf = (most: number, { share }: Size) => Math.max(1, Math.floor(most * share));

function listOf(schema: Schema, recipe: Recipe & Size, path: string): unknown {
  const item = resolve(schema.items ?? {}, recipe);
  const most = Math.min(schema.maxItems ?? 1, item.enum?.length ?? Infinity);
  // A list of objects, such as the links of a bulk creation, is full: its items have shorter lists instead.
  const length = item.properties === undefined ? numberOf(most, recipe) : most;
  const items = Array.from({ length }, (_, n) => valueOf(item, recipe, join(path, "*"), n));
  const given = items.filter((each) => each !== undefined);
  return given.length === 0 ? undefined : given;
}

function objectOf({ properties = {}, additionalProperties }: Schema, recipe: Recipe & Size, path: string): unknown {
  const members = Object.entries(properties).map(([name, part]) => [name, valueOf(part, recipe, join(path, name), 0)]);
  if (typeof additionalProperties === "object" && Object.keys(additionalProperties).length > 0)
    for (let n = 0; n < numberOf(MOST_MEMBERS, recipe); n++)
      members.push([countryOf(n), valueOf(additionalProperties, recipe, join(path, "*"), n)]);
  const given = members.filter(([, value]) => value !== undefined);
  return given.length === 0 ? undefined : Object.fromEntries(given);
}

const join = (path: string, name: string) => (path === "" ? name : `${path}.${name}`);

function textOf(schema: Schema, { share, chars: listed }: Size, path: string, n: number): unknown {
  const { maxLength = UNBOUNDED_CHARS, format = "", pattern, example } = schema;
  const chars = path.includes("*") || share === 0 ? Math.min(maxLength, listed) : maxLength;
  if (pattern !== undefined) {
    const [permitted, country] = [new RegExp(pattern, "u"), countryOf(n)];
    const forms = [randomText(chars), country, `${country}-${randomText(3)}`, `de-latn-${country.toLowerCase()}`];
    return forms.find((form) => permitted.test(form)) ?? example;
  }
  if (format === "uuid") return example;
  // International hosts must be converted to Punycode.
  return format.startsWith("iri") ? `https://bücher.com/${randomText(Math.max(chars - 60, 1))}` : randomText(chars);
}

/** Faults that no other value of the field mends: the field is left out. */
const EXCLUDED = new Set(["not_together", "needs", "needs_key"]);

/** A fault of a 400: src/platform/http/faults.ts. */
export interface Fault {
  path: string;
  code: string;
  allowed?: readonly string[];
}

/** Remembers what the details of a 400 name. Returns false if nothing could be made otherwise. */
export function refuse(refused: Refused, details: readonly Fault[]): boolean {
  const found = details.flatMap(({ path, code, allowed = [] }): [string, number][] => {
    const pattern = toPattern(path);
    const whole = pattern.replace(/\.?[^.]*$/, "");
    // What lacks something is left out as a whole. Of several fields that exclude each other, the first one stays.
    if (code === "required") return [[whole, 1]];
    if (code === "not_one_given") {
      const [, ...others] = allowed;
      return others.map((name) => [
        join(allowed.some((each) => pattern.endsWith(each)) ? whole : pattern, name),
        LEFT_OUT,
      ]);
    }
    return [[pattern, EXCLUDED.has(code) ? LEFT_OUT : 1]];
  });
  const steps = new Map(found.filter(([path]) => path !== ""));
  for (const [path, step] of steps) refused.set(path, (refused.get(path) ?? 0) + step);
  return [...steps].some(([path, step]) => (refused.get(path) ?? 0) <= LEFT_OUT + step);
}

/** Numbers of items and names of countries are all the same. */
const toPattern = (path: string) => path.replace(/(?<=^|\.)(\d+|[A-Z]{2})(?=\.|$)/g, "*");
