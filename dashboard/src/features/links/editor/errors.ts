import { ApiError } from "#dashboard/api/client.ts";
import { texts } from "#dashboard/texts/index.ts";
import type { FaultCode } from "#src/platform/http/fault-codes.ts";
import type { Draft } from "./draft.ts";

export interface Fault {
  /** The field in the request, such as `rules.0.url`. */
  path: string;
  /** Continues a sentence that begins with the field's name, or is a sentence of its own. */
  message: string;
  isSentence: boolean;
}

/** The destinations that are still to be entered. */
export function missingIn({ url, rules }: Draft): Fault[] {
  const { destination, rules: words } = texts.editor;
  const destinations = [
    { path: "url", url, message: destination.missing },
    ...rules.map((rule, index) => ({ path: `rules.${index}.url`, url: rule.url, message: words.urlMissing })),
  ];
  return destinations
    .filter((each) => each.url.trim() === "")
    .map(({ path, message }) => ({ path, message, isSentence: true }));
}

/** The fields that refusals are about which name none. */
const FIELDS: Partial<Record<FaultCode, string>> = {
  aliases_of_domain: "aliases",
  domain_refused: "domain",
  too_many_aliases: "aliases",
};

/** The fields that the error is about. */
export function faultsOf(error: unknown): Fault[] {
  if (!(error instanceof ApiError)) return [];
  return error.details
    .map(({ path, code, message, isSentence = false }) => ({ path: path || (FIELDS[code] ?? ""), message, isSentence }))
    .filter(({ path }) => path !== "");
}

/** Whether the path is the field, or a part of it. */
export function isWithin(path: string, field: string): boolean {
  return path === field || path.startsWith(`${field}.`);
}
