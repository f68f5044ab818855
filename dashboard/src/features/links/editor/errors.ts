import { ApiError } from "#dashboard/api/client.ts";
import { texts } from "#dashboard/texts/index.ts";
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

/** The fields that the error is about. Conflicts name their field in the message only. */
export function faultsOf(error: unknown): Fault[] {
  if (!(error instanceof ApiError)) return [];
  if (error.details.length > 0) return error.details.map((detail) => ({ ...detail, isSentence: false }));
  const path = fieldOfMessage(error);
  return path === null ? [] : [{ path, message: error.message, isSentence: true }];
}

function fieldOfMessage({ status, message }: ApiError): string | null {
  if (status === 403 && message.includes("domain")) return "domain";
  if (status !== 409) return null;
  if (message.includes("aliases")) return "aliases";
  if (message.includes("external id")) return "externalId";
  return message.startsWith("The slug") ? "slug" : null;
}

/** Whether the path is the field, or a part of it. */
export function isWithin(path: string, field: string): boolean {
  return path === field || path.startsWith(`${field}.`);
}
