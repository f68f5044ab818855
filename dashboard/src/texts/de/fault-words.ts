import type { blockReasons as englishReasons, forms as englishForms } from "../en/fault-words.ts";

/** Why a page is blocked. */
export const blockReasons: typeof englishReasons = {
  phishing: "Phishing",
  malware: "Schadsoftware",
  spam: "Spam",
  child_abuse: "Kindesmissbrauch",
  illegal: "rechtswidriger Inhalt",
  legal_order: "eine rechtliche Anordnung",
  shortener: "ein anderer Kurzlink",
  lookalike: "eine Adresse, die aussieht wie die einer anderen Website",
  policy: "die Regeln dieses Dienstes",
};

/** The forms of what people write into the files of apps, after "must be". */
export const forms: typeof englishForms = {
  android_certificate:
    "der SHA-256 des Zertifikats der App sein: 32 Paare aus Ziffern und Großbuchstaben A bis F, durch Doppelpunkte getrennt",
  android_package: "der Paketname der App sein, etwa com.example.app",
  android_relation: "eine Beziehung sein, etwa delegate_permission/common.handle_all_urls",
  android_site: "eine Website ohne Pfad und Port sein, etwa https://www.example.com",
  android_statement: "eine Aussage mit relation und target sein",
  android_statement_list: "die URL einer anderen Liste von Aussagen sein",
  apple_app_id:
    "zehn Großbuchstaben und Ziffern, ein Punkt und die Bundle-ID der App sein, etwa ABCDE12345.com.example.app",
  apple_apps: "leer sein; die Apps gehören in details",
  apple_path: "ein Pfad sein, der mit / oder * beginnt, vielleicht nach NOT",
  apple_query: "ein Muster sein, oder ein Objekt mit einem Muster für jeden Parameter",
  apple_variable: "ein Name ohne $, ( und ) sein",
};
