import { foldCase } from "../../../platform/lib/fold-case.ts";
import { normalisePassword } from "../../../platform/lib/password.ts";
import commonPasswords from "./common-passwords.json" with { type: "json" };
import {
  MAX_USER_PASSWORD_CHARS,
  MIN_OTHER_PASSWORD_CHARS,
  MIN_OWN_WORD_CHARS,
  MIN_USER_PASSWORD_CHARS,
} from "../limits.ts";
import { because, type Because } from "../../../platform/http/fault-codes.ts";

/** Words that a password must not be made of. */
export interface OwnWords {
  /** The person's name. */
  name: string;
  email: string;
  /** The names of the person's accounts. */
  accounts: readonly string[];
  /** The service's origin. */
  baseUrl: string;
}

/**
 * The 1,000 commonest passwords of at least 12 characters, in lower case and in alphabetical order: those of the public list
 * "10 million passwords" of Mark Burnett, as in SecLists (MIT).
 */
const COMMON_PASSWORDS: ReadonlySet<string> = new Set(commonPasswords);

const SERVICE_NAME = "tern";

/** Returns why the password is too weak, or null. */
export function weaknessOf(password: string, own: OwnWords): Because | null {
  const normalised = normalisePassword(password);
  const characters = Array.from(normalised).length;
  if (characters < MIN_USER_PASSWORD_CHARS) return because("too_short", { min: MIN_USER_PASSWORD_CHARS });
  if (characters > MAX_USER_PASSWORD_CHARS) return because("too_long", { max: MAX_USER_PASSWORD_CHARS });
  const folded = foldCase(normalised);
  if (COMMON_PASSWORDS.has(folded)) return because("common_password");
  if (charactersBesides(folded, wordsOf(own)) < MIN_OTHER_PASSWORD_CHARS) return because("guessable_password");
  return null;
}

/** The characters that remain when all of these words are taken out. */
function charactersBesides(text: string, words: readonly string[]): number {
  const rest = words.reduce((text, word) => text.replaceAll(word, ""), text);
  return Array.from(rest).length;
}

function wordsOf({ name, email, accounts, baseUrl }: OwnWords): string[] {
  const words = [name, email, ...accounts, new URL(baseUrl).hostname, SERVICE_NAME]
    .flatMap((text) => text.split(/[^\p{L}\p{N}]+/u).concat(text))
    .map(foldCase)
    .filter((word) => Array.from(word).length >= MIN_OWN_WORD_CHARS);
  return [...new Set(words)].toSorted((a, b) => b.length - a.length);
}
