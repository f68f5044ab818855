/**
 * Returns the type that an Accept header prefers, by its weights (RFC 9110, 12.5.1). Of types with the same weight, one
 * that a more specific range names wins, and then the first. Returns null if the header accepts none of the types.
 * Without a header, the first type is preferred.
 */
export function preferredType<T extends string>(header: string | null | undefined, types: readonly T[]): T | null {
  let preferred: T | null = null;
  let best = { weight: 0, specificity: -1 };
  const ranges = parseRanges(header ?? "");
  for (const type of types) {
    const match = findMatch(ranges, type);
    if (match.weight === 0 || match.weight < best.weight) continue;
    if (match.weight === best.weight && match.specificity <= best.specificity) continue;
    preferred = type;
    best = match;
  }
  return preferred;
}

/** Whether an Accept header names this type, with a weight above 0. Wildcards do not count. */
export function namesType(header: string | null, type: string): boolean {
  const { weight, specificity } = findMatch(parseRanges(header ?? ""), type);
  return weight > 0 && specificity === 2;
}

interface MediaRange {
  /** In lower case, without parameters. */
  name: string;
  /** 0 to 1. */
  weight: number;
}

// Parameters other than the weight are ignored: no response depends on them.
const RANGE = /^\s*([^\s;,/]+\/[^\s;,/]+)\s*(?:;|$)/;
const WEIGHT = /;\s*q\s*=\s*([\d.]*)/i;

function parseRanges(header: string): MediaRange[] {
  if (header.trim() === "") return [{ name: "*/*", weight: 1 }];
  return header.split(",").flatMap((text) => {
    const name = RANGE.exec(text)?.[1]?.toLowerCase();
    return name === undefined ? [] : [{ name, weight: parseWeight(WEIGHT.exec(text)?.[1]) }];
  });
}

/** A weight that is no number counts as 1, like none. */
function parseWeight(text: string | undefined): number {
  const weight = text === undefined || text === "" ? 1 : Number(text);
  return Number.isNaN(weight) ? 1 : Math.min(weight, 1);
}

/** The weight of a type comes from the most specific range that matches it. */
function findMatch(ranges: readonly MediaRange[], type: string): { weight: number; specificity: number } {
  const names = ["*/*", type.replace(/\/.*/, "/*"), type];
  let match = { weight: 0, specificity: -1 };
  for (const { name, weight } of ranges) {
    const specificity = names.indexOf(name);
    if (specificity > match.specificity) match = { weight, specificity };
  }
  return match;
}
