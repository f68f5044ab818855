import type { Form } from "#src/platform/http/fault-sentences.ts";
import type { VerdictReason } from "#src/redirect/verdict.ts";

/** Why a page is blocked. */
export const blockReasons: Readonly<Record<VerdictReason, string>> = {
  phishing: "phishing",
  malware: "harmful software",
  spam: "spam",
  child_abuse: "child abuse",
  illegal: "illegal content",
  legal_order: "a legal order",
  shortener: "another short link",
  lookalike: "an address that looks like that of another site",
  policy: "the rules of this service",
};

/** The forms of what people write into the files of apps, after "must be". */
export const forms: Readonly<Partial<Record<Form, string>>> = {
  android_certificate:
    "the SHA-256 of the app's certificate: 32 pairs of digits and capital letters A to F, separated by colons",
  android_package: "the app's package name, such as com.example.app",
  android_relation: "a relation, such as delegate_permission/common.handle_all_urls",
  android_site: "a site without a path or a port, such as https://www.example.com",
  android_statement: "a statement with a relation and a target",
  android_statement_list: "the URL of another list of statements",
  apple_app_id: "ten capital letters and digits, a dot and the app's bundle id, such as ABCDE12345.com.example.app",
  apple_apps: "empty; the apps belong in details",
  apple_path: "a path that begins with / or *, perhaps after NOT",
  apple_query: "a pattern, or an object with a pattern for each parameter",
  apple_variable: "a name without $, ( and )",
};
