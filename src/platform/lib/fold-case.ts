/**
 * The text in NFC and without differences of case: a canonical caseless match (Unicode, D145) compares these texts. Of the
 * full case folding, only the dotless i (ı) and the final sigma (ς) differ from the mappings of JavaScript, which has none.
 * The result does not depend on a locale.
 */
export function foldCase(text: string): string {
  const parts = text.normalize("NFD").split("ı");
  // The first mapping folds ẞ like ß, the second ß like ss.
  const folded = parts.map((part) => part.toLowerCase().toUpperCase().toLowerCase().replaceAll("ς", "σ"));
  return folded.join("ı").normalize("NFC");
}
