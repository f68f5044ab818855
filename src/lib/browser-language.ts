import { isAppLanguage, LANGUAGE_COOKIE, type AppLanguage } from "../languages.ts";
import { preferredOf } from "./accept-language.ts";

const CHOSEN = new RegExp(`(?:^|; )${LANGUAGE_COOKIE}=([a-z]+)`);

/** The language that was chosen in the browser, or else the one that the browser prefers. */
export function languageOf(headers: Headers): AppLanguage {
  const [, chosen = ""] = CHOSEN.exec(headers.get("Cookie") ?? "") ?? [];
  return isAppLanguage(chosen) ? chosen : (preferredOf(headers.get("Accept-Language"), isAppLanguage) ?? "en");
}
