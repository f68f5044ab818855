import type { importProblems as english } from "../en/import-problems.ts";

export const importProblems: typeof english = {
  invalid_url: "Das Ziel ist keine Webadresse.",
  invalid_slug: "Der Slug hat Zeichen, die Links nicht haben können, oder zu viele.",
  invalid: "Ein anderer Wert kann nicht importiert werden.",
  taken: "Der Slug ist vergeben oder reserviert.",
  repeated: "Eine frühere Zeile hat denselben Slug.",
  differs_in_case: "Der Slug einer früheren Zeile unterscheidet sich nur in Groß- und Kleinschreibung.",
  foreign_domain: "Die Kurz-URL liegt auf einer Domain, die nicht Ihre ist.",
  new_tag: "Das Tag ist neu und wird erstellt.",
  password: "Das Passwort kann nicht mitkommen. Legen Sie nach dem Import ein neues fest.",
  dead: "Der alte Dienst hat den Link gelöscht oder gesperrt.",
  alias: "Ein weiterer Slug des Links kann nicht sein Alias sein.",
  shortened: "Ein Text ist zu lang; sein Ende wird abgeschnitten.",
  unreadable_time: "Die Zeit der Erstellung ist nicht lesbar; der Link bekommt die Zeit des Imports.",
  unreadable_clicks: "Die Zahl der Klicks ist nicht lesbar; der Link bekommt 0.",
  unknown_status: "Das Wort für den Status ist nicht bekannt; der Link wird als aktiv importiert.",
  unknown_word: "In einer Spalte für Ja und Nein steht ein anderes Wort. Schreiben Sie true oder false.",
  taken_in: "Ein nicht geschlossenes Anführungszeichen schließt die Zeilen darunter ein.",
  repeated_key: "Ein Objekt im JSON hat einen Namen mehrmals. Nennen Sie jeden Namen einmal.",
  pattern: "Der Slug ist ein Muster für viele Kurz-URLs.",
  unused_slugs: "Eine Spalte sieht nach Slugs aus und wird nicht importiert. Wählen Sie unten „Slug“, wenn sie es ist.",
};
