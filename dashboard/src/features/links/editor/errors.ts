import { ApiError } from "../../../api/client.ts";

export interface Fault {
  /** The field in the request, such as `rules.0.url`. */
  path: string;
  /** Continues a sentence that begins with the field's name, or is a sentence of its own. */
  message: string;
  isSentence: boolean;
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
  if (message.includes("externalId")) return "externalId";
  return message.startsWith("The slug") ? "slug" : null;
}

/** Whether the path is the field, or a part of it. */
export function isWithin(path: string, field: string): boolean {
  return path === field || path.startsWith(`${field}.`);
}
