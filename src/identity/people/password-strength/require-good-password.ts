import type { ServiceContext } from "../../../platform/context.ts";
import { invalidRequest, invalidField } from "../../../platform/http/errors.ts";
import { readBecause } from "../../../platform/http/faults.ts";
import { isBreached } from "./breaches.ts";
import { weaknessOf, type OwnWords } from "./strength.ts";

/** Throws a 400 unless the password is good enough to be set. */
export async function requireGoodPassword(
  context: ServiceContext,
  password: string,
  own: Omit<OwnWords, "baseUrl">,
): Promise<void> {
  const weakness = weaknessOf(password, { ...own, baseUrl: context.baseUrl });
  if (weakness !== null) throw invalidRequest([readBecause("password", weakness)]);
  if (await isBreached(context, password)) throw invalidField("password", "breached_password");
}
