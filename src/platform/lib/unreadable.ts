/** A character and its place in a text, from 1 on. */
interface Unreadable {
  /** Such as U+200B. */
  name: string;
  place: number;
}

/**
 * Finds the first character that nobody sees and that no URL needs, such as U+200B. It comes along with a copied text, and makes
 * another URL of it. Within a URL, joiners and variation selectors are parts of words and emoji.
 */
export function findUnreadable(text: string): Unreadable | null {
  const found = UNREADABLE.exec(text);
  if (found === null) return null;
  const code = (found[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return { name: `U+${code}`, place: Array.from(text.slice(0, found.index)).length + 1 };
}

const UNREADABLE = new RegExp(
  [
    // Invisible (Default_Ignorable_Code_Point), or it stands for an object or an annotation.
    String.raw`(?![\p{Variation_Selector}\u200c\u200d])[\p{Default_Ignorable_Code_Point}\ufff9-\ufffc]`,
    String.raw`^[\p{Variation_Selector}\u200c\u200d]`,
    String.raw`[\u200c\u200d]$`,
    // It chooses how the character before it looks, which only these characters can.
    String.raw`(?<![\p{Extended_Pictographic}\p{Script=Han}])\p{Variation_Selector}$`,
  ].join("|"),
  "u",
);
