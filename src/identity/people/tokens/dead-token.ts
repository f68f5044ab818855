import { invalidField } from "../../../platform/http/errors.ts";

/** The error for a token that is unknown, used, expired or replaced by a newer one. Strangers learn no more. */
export function deadToken(path: "token" | "invitation" = "token"): Error {
  return invalidField(path, "dead_token");
}
