import { ApiError, call } from "../api/client.ts";
import { texts } from "../texts/index.ts";
import { explainError } from "../ui/notice.tsx";

/** Whether this browser has passkeys with the JSON forms of WebAuthn 3. */
export const HAS_PASSKEYS =
  typeof PublicKeyCredential === "function" && typeof PublicKeyCredential.parseRequestOptionsFromJSON === "function";

/** What waits for a passkey at present. A browser allows one request at a time. */
let current: AbortController | null = null;

function takeTurn(): AbortSignal {
  current?.abort();
  current = new AbortController();
  return current.signal;
}

/** Asks the browser for a passkey with the options of this path. Returns the browser's answer as JSON. */
export async function askForPasskey(path: string): Promise<AuthenticationResponseJSON> {
  return get(path, takeTurn(), "optional");
}

/**
 * Makes the browser offer passkeys where it fills in the address. Resolves when the person has chosen one, with null if the
 * browser cannot offer them.
 */
export async function offerPasskeys(path: string, stop: AbortSignal): Promise<AuthenticationResponseJSON | null> {
  if (!HAS_PASSKEYS || !(await PublicKeyCredential.isConditionalMediationAvailable()) || stop.aborted) return null;
  return get(path, AbortSignal.any([stop, takeTurn()]), "conditional");
}

async function get(
  path: string,
  signal: AbortSignal,
  mediation: CredentialMediationRequirement,
): Promise<AuthenticationResponseJSON> {
  const options = await call<PublicKeyCredentialRequestOptionsJSON>("POST", path, { signal });
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const credential = await navigator.credentials.get({ publicKey, signal, mediation });
  return (credential as PublicKeyCredential).toJSON() as AuthenticationResponseJSON;
}

/** Asks the browser for a new passkey. Returns its answer as JSON. */
export async function createPasskey(): Promise<RegistrationResponseJSON> {
  const signal = takeTurn();
  const options = await call<PublicKeyCredentialCreationOptionsJSON>("POST", "/api/auth/passkeys/options", { signal });
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const credential = await navigator.credentials.create({ publicKey, signal });
  return (credential as PublicKeyCredential).toJSON() as RegistrationResponseJSON;
}

/** A sentence about an error of the API or of the browser's passkeys. */
export function explainPasskeyError(error: unknown): string {
  if (error instanceof ApiError || !(error instanceof DOMException)) return explainError(error);
  const { cancelled, known, notHere } = texts.shell.passkeyErrors;
  if (error.name === "InvalidStateError") return known;
  return error.name === "SecurityError" || error.name === "NotSupportedError" ? notHere : cancelled;
}

/** Whether a later request of the same page, or leaving it, ended the wait. */
export function wasStopped(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}
