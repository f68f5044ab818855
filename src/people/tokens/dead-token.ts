import { invalidRequest } from "../../http/errors.ts";

/** The error for a token that is unknown, used, expired or replaced by a newer one. Strangers learn no more. */
export function deadToken(): Error {
  return invalidRequest([
    { path: "token", message: "does not work: it was used, has expired or was replaced; ask for a new mail" },
  ]);
}
