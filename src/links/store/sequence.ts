/**
 * The integer under which a link is stored: the 42 low bits of its id's time (until the year 2109) and
 * the 21 random bits that follow, in the order of the id. As decimal text, since it is larger than a
 * JavaScript number holds exactly; SQLite compares such text with an integer column as an integer.
 */
export function sequenceOf(id: string): string {
  const bits = BigInt(`0x${id.replaceAll("-", "")}`);
  const time = (bits >> 80n) & 0x3ff_ffff_ffffn;
  const randomA = (bits >> 64n) & 0xfffn;
  const randomB = (bits >> 53n) & 0x1ffn;
  return ((time << 21n) | (randomA << 9n) | randomB).toString();
}

/** Links by their ids, for a parameter that SQL reads with {@link idsIn} and {@link isLink}. */
export function toIdsJson(ids: readonly string[]): string {
  return JSON.stringify(ids.map((id) => [sequenceOf(id), id]));
}

/** A FROM clause, as `j`, for the parameter of {@link toIdsJson}. */
export function idsIn(parameter: string): string {
  return `json_each(${parameter}) j`;
}

/** The link `l`, or what the table is named, is the one of the row of {@link idsIn}. */
export function isLink(table: string): string {
  return `${table}.seq = CAST(j.value ->> 0 AS INTEGER) AND ${table}.id = j.value ->> 1`;
}
