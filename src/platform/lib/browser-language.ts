import { chosenLanguage, isAppLanguage, type AppLanguage } from "../languages.ts";
import { preferredOf } from "./accept-language.ts";

/** The language that was chosen in the browser, or else the one that the browser prefers. */
export function languageOf(headers: Headers): AppLanguage {
  const chosen = chosenLanguage(headers.get("Cookie") ?? "");
  return chosen ?? preferredOf(headers.get("Accept-Language"), isAppLanguage) ?? "en";
}
