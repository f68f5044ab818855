import type { Parameters } from "../../platform/database/parameters.ts";
import { ID_CHARS } from "../../platform/lib/uuid.ts";

/**
 * The primary key of a link: the low 42 bits of its id's time (enough until the year 2109) and the 21 random bits that
 * follow, so keys are in the order of ids. It is decimal text, because JavaScript numbers cannot hold all of its digits.
 */
export function sequenceOf(id: string): string {
  const bits = BigInt(`0x${id.replaceAll("-", "")}`);
  const time = (bits >> 80n) & 0x3ff_ffff_ffffn;
  const randomA = (bits >> 64n) & 0xfffn;
  const randomB = (bits >> 53n) & 0x1ffn;
  return ((time << 21n) | (randomA << 9n) | randomB).toString();
}

const SEQUENCE_BITS = 63n;
const RANDOM_BITS = 21n;

/** The lowest key of a link that is created at this time (Unix milliseconds) or later, in the form of {@link sequenceOf}. */
export function firstSequenceAt(time: number): string {
  const highest = (1n << SEQUENCE_BITS) - 1n;
  const sequence = BigInt(time) << RANDOM_BITS;
  return (sequence < highest ? sequence : highest).toString();
}

/** The table for {@link listedLinks}. An index on other columns would read more rows than the primary key. */
export const LISTED_LINKS = "links AS l NOT INDEXED";

/**
 * SQL for the links `l` with these ids: a condition, and the position of a link in the list. The keys, which
 * are digits, are part of the text, because a statement has at most 100 bound values. A list of one id reads as few rows
 * as `=`.
 */
export function listedLinks(ids: readonly string[], parameters: Parameters): { condition: string; position: string } {
  const list = parameters.add(ids.join(","));
  return {
    condition: `l.seq IN (${ids.map(sequenceOf).join(",")}) AND instr(${list}, l.id) > 0`,
    position: `instr(${list}, l.id) / ${ID_CHARS + 1}`,
  };
}
