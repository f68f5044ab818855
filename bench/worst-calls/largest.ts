import { isCountry } from "../../src/links/normalize.ts";
import type { Schema } from "../../test/e2e/support/schema-values.ts";

// The largest value that a schema of the contracts permits, with the content that takes the most work.

/** Values by the names of fields and parameters, such as ids of resources that exist. `n` is the number of the item in a list. */
export type Named = Record<string, (n: number) => unknown>;

/** What the service has refused so far, by path, such as `rules.*.url`, and how often. */
export type Refused = Map<string, number>;

/** At the first refusal the example of the schema is taken; from this one on, nothing. */
export const LEFT_OUT = 2;

/** How long the lists in a value are, as a share of the longest ones, and the texts in them. */
export interface Size {
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

/** Letters without repetition, so that the search index gets as many terms as possible. */
export function randomText(chars: number): string {
  let text = "";
  while (text.length < chars) text += Math.random().toString(36).slice(2);
  return text.slice(0, chars);
}

/** Returns the largest value that fits, with its size. `start` is the size of a similar one. */
export function largestOf(
  schema: Schema,
  recipe: Recipe,
  { maxBytes, maxValues }: { maxBytes: number; maxValues: number },
  start: Size | null = null,
): { value: unknown; size: Size } {
  const make = (size: Size) => ({ value: valueOf(schema, { ...recipe, ...size }, "", 0), size });
  const fits = ({ value }: { value: unknown }) =>
    Buffer.byteLength(JSON.stringify(value) ?? "") <= maxBytes * (1 - SPARE) &&
    countValues(value) <= maxValues * (1 - SPARE);
  let best = start === null ? make({ share: 0, chars: LISTED_CHARS }) : make(start);
  if (start !== null) {
    while (!fits(best) && best.size.share > LEAST_SHARE)
      best = make({ ...start, share: best.size.share * (1 - SPARE) });
    return best;
  }
  for (let share = LEAST_SHARE, grows = true; grows && best.size.share < 1; share = Math.min(1, share * 2)) {
    const next = make({ share, chars: LISTED_CHARS });
    grows = fits(next);
    if (grows) best = next;
  }
  for (let step = best.size.share / 2; step > best.size.share / STEPS && best.size.share < 1; step /= 2) {
    const next = make({ share: Math.min(1, best.size.share + step), chars: LISTED_CHARS });
    if (fits(next)) best = next;
  }
  if (best.size.share === 1) return best;
  return LONGER_CHARS.map((chars) => make({ ...best.size, chars })).find(fits) ?? best;
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
  if (named !== undefined && type !== "array" && type !== "object") return named(n);
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
  return format.startsWith("iri") ? `https://bücher.example/${randomText(Math.max(chars - 60, 1))}` : randomText(chars);
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
