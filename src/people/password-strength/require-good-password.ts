import type { ServiceContext } from "../../context.ts";
import { invalidRequest } from "../../http/errors.ts";
import { isBreached } from "./breaches.ts";
import { weaknessOf, type OwnWords } from "./strength.ts";

/** Throws a 400 unless the password is good enough to be set. */
export async function requireGoodPassword(
  context: ServiceContext,
  password: string,
  own: Omit<OwnWords, "baseUrl">,
): Promise<void> {
  const weakness = weaknessOf(password, { ...own, baseUrl: context.baseUrl });
  if (weakness !== null) throw invalidRequest([{ path: "password", message: weakness }]);
  if (await isBreached(context, password))
    throw invalidRequest([
      { path: "password", message: "is known from a breach of another service; choose another one" },
    ]);
}
