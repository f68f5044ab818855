import { expect, it } from "vitest";
import { isLanguage } from "../../../src/redirect/targets/languages.ts";

it.each([
  ["its language with a script", "zh-tw", "zh-hant-tw", true],
  ["its language in another region with the script", "zh-tw", "zh-hant-hk", false],
  ["the usual script of its region", "zh-hant", "zh-tw", true],
  ["the usual script of its language", "sr-cyrl", "sr", true],
  ["another script than the usual one", "zh-hans", "zh-tw", false],
  ["a script that its language rarely has", "uz-uz", "uz-cyrl-uz", true],
  ["Bokmål where it is Norwegian", "no", "nb-no", true],
  ["Nynorsk where it is Norwegian", "no", "nn-no", true],
  ["Norwegian where it is Bokmål", "nb-no", "no-no", true],
  ["Norwegian where it is Nynorsk", "nn", "no", false],
  ["its region in an extension", "de-co", "de-u-co-phonebk", false],
])("a rule and %s: %s, %s", (_, rule, visitor, isMatch) => expect(isLanguage(visitor, rule)).toBe(isMatch));
