import slugify from "@sindresorhus/slugify";

/** Characters of a suggested slug: people read it and type it. */
const MAX_SUGGESTED_SLUG_CHARS = 40;

/** A slug of the first words of a title; '' if the title has no letters that can be written as Latin ones. */
export function suggestSlug(title: string): string {
  const whole = slugify(title, { decamelize: false });
  if (whole.length <= MAX_SUGGESTED_SLUG_CHARS) return whole;
  const cut = whole.slice(0, MAX_SUGGESTED_SLUG_CHARS + 1);
  const end = cut.lastIndexOf("-");
  return end === -1 ? whole.slice(0, MAX_SUGGESTED_SLUG_CHARS) : cut.slice(0, end);
}
