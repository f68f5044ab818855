import { call } from "../api/client.ts";

/** Asks the browser for a passkey with the options of this path. Returns the browser's answer as JSON. */
export async function askForPasskey(path: string): Promise<AuthenticationResponseJSON> {
  const options = await call<PublicKeyCredentialRequestOptionsJSON>("POST", path);
  const credential = await navigator.credentials.get({
    publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options),
  });
  return (credential as PublicKeyCredential).toJSON() as AuthenticationResponseJSON;
}
