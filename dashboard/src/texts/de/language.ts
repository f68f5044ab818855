import type { language as english } from "../en/language.ts";

export const language: typeof english = {
  browser: "Wie im Browser",
  hint: "Für das Dashboard und Ihre E-Mails. Die Dokumentation und die API-Referenz sind auf Englisch.",
  label: "Sprache",
};
