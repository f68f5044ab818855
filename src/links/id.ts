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
