import { expect, it } from "vitest";
import { foldCase } from "../../../src/platform/lib/fold-case.ts";

// CaseFolding.txt, statuses C and F, and canonical equivalence.
it.each([
  ["Straße", "STRASSE", "STRAẞE", "straſſe"],
  ["été", "ÉTÉ", "e\u0301te\u0301", "E\u0301TÉ"],
  ["ΟΔΟΣ", "οδος", "οδοσ"],
  ["\u212a", "K", "k"],
  ["\u212b", "Å", "a\u030a"],
  ["İ", "i\u0307", "I\u0307"],
  ["ﬁx", "FIX", "fix"],
  ["Ꭰ", "ꭰ"],
  ["ᾳ", "ΑΙ", "αι"],
])("folds %s like %s and the others", (...texts) => {
  expect(new Set(texts.map(foldCase)).size).toBe(1);
  expect(foldCase(foldCase(texts[0]))).toBe(foldCase(texts[0]));
});

it.each([
  ["ı", "i"],
  ["İ", "i"],
  ["e", "é"],
  ["ä", "ae"],
  ["日", "曰"],
])("keeps %s and %s apart", (one, other) => {
  expect(foldCase(one)).not.toBe(foldCase(other));
});
