import { isCountry } from "../../src/links/normalize.ts";
import type { Schema } from "../../test/e2e/support/schema-values.ts";

// The largest value that a schema of the contracts permits, with the content that takes the most work.

/** Values by the names of fields and parameters, such as ids of resources that exist. `n` is the number of the item in a list. */
export type Named = Record<string, (n: number) => unknown>;

/** What the service has refused so far, by path, such as `rules.*.url`, and how often. */
export type Refused = Map<string, number>;

/** At the first refusal the example of the schema is taken; from this one on, nothing. */
export const LEFT_OUT = 2;

export interface Bounds {
  maxBytes: number;
  maxValues: number;
}

const LETTERS = Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZ");
const COUNTRIES = LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).filter(isCountry);
const countryOf = (n: number) => COUNTRIES[n % COUNTRIES.length] ?? "";

/** Of texts in lists: their number costs more than their length. What is left of the bytes then makes them longer. */
const LISTED_CHARS = 40;
const LONGER_CHARS = [4_096, 2_048, 1_024, 512, 256, 128];
const UNBOUNDED_CHARS = 40;
/** Records whose schema has no bound are those by country. */
const MOST_MEMBERS = 100;
const LEAST_SHARE = 1 / 128;
const STEPS = 4;
/** Of a body, left for differences between values that are made anew. */
const SPARE = 0.02;

/** Letters without repetition, so that the search index gets as many terms as possible. */
export function randomText(chars: number): string {
  let text = "";
  while (text.length < chars) text += Math.random().toString(36).slice(2);
  return text.slice(0, chars);
}

/** International hosts must be converted to Punycode. */
const urlOf = (chars: number) => `https://bücher.example/${randomText(Math.max(chars - 60, 1))}`;

const FORMATS: Record<string, (chars: number) => string> = {
  iri: urlOf,
  "iri-reference": urlOf,
  email: () => `${randomText(60)}@${randomText(60)}.example`,
  password: (chars) => randomText(chars),
};

/** Texts of which the first that matches the pattern of a schema is taken. */
const forms = (chars: number, n: number): string[] => [
  randomText(chars),
  countryOf(n),
  `${countryOf(n)}-${randomText(3)}`,
  `de-latn-${countryOf(n).toLowerCase()}`,
  "#12492b",
];

/** A time after that of the service, and later for what ends: `startsAt` is before `endsAt`. */
const LATER_MS = 1_900_000_000_000;
const isEnd = (path: string) => /(end|expires|Before)/.test(path.split(".").at(-1) ?? "");

/** What goes into one value. */
interface Recipe extends Size {
  schemas: Record<string, Schema>;
  named: Named;
  refused: Refused;
}

/** How long the lists in a value are, as a share of the longest ones, and the texts in them. */
export interface Size {
  share: number;
  chars: number;
}

/** Returns the largest value that fits, with its size; undefined if the service refused each. `start` is the size of a similar one. */
export function largestOf(
  schema: Schema,
  recipe: Omit<Recipe, keyof Size>,
  { maxBytes, maxValues }: Bounds,
  start: Size | null = null,
): { value: unknown; size: Size } {
  const fits = ({ value }: { value: unknown }) =>
    Buffer.byteLength(JSON.stringify(value) ?? "") <= maxBytes * (1 - SPARE) &&
    countValues(value) <= maxValues * (1 - SPARE);
  const make = (share: number, chars = LISTED_CHARS) => ({
    value: valueOf(schema, { ...recipe, share, chars }, "", 0),
    size: { share, chars },
  });
  let best = start === null ? make(LEAST_SHARE) : make(start.share, start.chars);
  if (start !== null) {
    while (!fits(best) && best.size.share > LEAST_SHARE) best = make(best.size.share * (1 - SPARE), start.chars);
    return best;
  }
  if (!fits(best)) return make(0);
  for (let next = best; fits(next) && best.size.share < 1; next = make(Math.min(1, best.size.share * 2))) best = next;
  let high = Math.min(1, best.size.share * 2);
  for (let step = 0; step < STEPS && best.size.share < 1; step++) {
    const next = make((best.size.share + high) / 2);
    if (fits(next)) best = next;
    else high = next.size.share;
  }
  if (best.size.share === 1) return best;
  return LONGER_CHARS.map((chars) => make(best.size.share, chars)).find(fits) ?? best;
}

export function countValues(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce<number>((sum, each) => sum + countValues(each), 1);
}

function valueOf(given: Schema, recipe: Recipe, path: string, n: number): unknown {
  const schema = resolve(given, recipe.schemas);
  const again = (part: Schema) => valueOf(part, recipe, path, n);
  const refusals = recipe.refused.get(path) ?? 0;
  if (refusals >= LEFT_OUT) return undefined;
  if (refusals > 0) return schema.example;
  const type = [schema.type ?? []].flat().find((each) => each !== "null");
  const named =
    recipe.named[
      path
        .replace(/(^|\.)\*$/, "")
        .split(".")
        .at(-1) ?? ""
    ];
  if (named !== undefined && type !== "array" && type !== "object") return named(n);
  if (schema.enum !== undefined) return schema.enum.filter((each) => each !== null).at(-1 - n);
  const choices = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].filter((choice) => choice.type !== "null");
  if (typeof schema.example === "number" && choices.length > 0) return isEnd(path) ? 2 * LATER_MS : LATER_MS;
  if (choices.length > 0) return largestAmong(choices.map(again));
  if (schema.allOf !== undefined) return Object.assign({}, ...schema.allOf.map(again));
  if (type === "array") return listOf(schema, recipe, path);
  if (type === "object") return objectOf(schema, recipe, path);
  if (type === "boolean") return true;
  if (type === "integer") return schema.maximum ?? 1;
  if (type === "number") return (schema.maximum ?? schema.exclusiveMaximum ?? 2) - 1;
  return type === "string" ? textOf(schema, recipe, path, n) : {};
}

function resolve(schema: Schema, schemas: Record<string, Schema>): Schema {
  if (schema.$ref === undefined) return schema;
  return schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {};
}

const largestAmong = (values: unknown[]) =>
  values.sort((a, b) => (JSON.stringify(b)?.length ?? 0) - (JSON.stringify(a)?.length ?? 0))[0];

/** At least one item, and as many of the most as the share says. */
const numberOf = (most: number, { share }: Recipe) => Math.max(1, Math.floor(most * share));

function listOf(schema: Schema, recipe: Recipe, path: string): unknown {
  const item = resolve(schema.items ?? {}, recipe.schemas);
  const most = Math.min(schema.maxItems ?? 1, item.enum?.length ?? Infinity);
  const make = (_: unknown, n: number) => valueOf(item, recipe, join(path, "*"), n);
  // A list of objects, such as the links of a bulk creation, is full: its items have shorter lists instead.
  const length = item.properties === undefined ? numberOf(most, recipe) : most;
  const items = Array.from({ length }, make).filter((each) => each !== undefined);
  return items.length === 0 ? undefined : items;
}

function objectOf(schema: Schema, recipe: Recipe, path: string): unknown {
  const { properties = {}, additionalProperties } = schema;
  const members = Object.entries(properties).map(([name, part]) => [name, valueOf(part, recipe, join(path, name), 0)]);
  if (typeof additionalProperties === "object" && Object.keys(additionalProperties).length > 0)
    for (let n = 0; n < numberOf(MOST_MEMBERS, recipe); n++)
      members.push([countryOf(n), valueOf(additionalProperties, recipe, join(path, "*"), n)]);
  const given = members.filter(([, value]) => value !== undefined);
  return given.length === 0 ? undefined : Object.fromEntries(given);
}

const join = (path: string, name: string) => (path === "" ? name : `${path}.${name}`);

function textOf(schema: Schema, { share, chars: listed }: Recipe, path: string, n: number): unknown {
  const { maxLength = UNBOUNDED_CHARS, format = "", pattern, example } = schema;
  const chars = path.includes("*") || share === 0 ? Math.min(maxLength, listed) : maxLength;
  if (pattern !== undefined) return forms(chars, n).find((form) => new RegExp(pattern, "u").test(form)) ?? example;
  if (format === "uuid") return example;
  return FORMATS[format]?.(chars) ?? randomText(chars);
}

/** Remembers what the details of a 400 name. Returns false if nothing could be made otherwise. */
export function refuse(refused: Refused, details: readonly { path: string; message: string }[]): boolean {
  const paths = new Set(details.map(({ path, message }) => toPattern(path, message)).filter((path) => path !== ""));
  for (const path of paths) refused.set(path, (refused.get(path) ?? 0) + 1);
  return [...paths].some((path) => (refused.get(path) ?? 0) <= LEFT_OUT + 1);
}

/** Numbers of items and names of countries are all the same. What lacks something is left out as a whole. */
function toPattern(path: string, message: string): string {
  const pattern = path.replace(/(?<=^|\.)(\d+|[A-Z]{2})(?=\.|$)/g, "*");
  return message === "is required" ? pattern.replace(/\.?[^.]*$/, "") : pattern;
}
