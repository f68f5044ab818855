import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import type { ServiceContext } from "../../../platform/context.ts";
import { badRequest, invalidCredentials } from "../../../platform/http/errors.ts";
import { fromBase64Url, toBase64Url } from "../../../platform/lib/base64url.ts";
import { isLoopbackName } from "../../../platform/lib/hosts.ts";
import { describeError, log } from "../../../platform/lib/log.ts";
import type { AssertionAnswer, RegistrationAnswer } from "./schemas.ts";
import type { Passkey } from "./store/passkeys.ts";

// WebAuthn with @simplewebauthn/server, which is loaded when it is first used.

type Json = string | number | boolean | null | Json[] | { [member: string]: Json };

/** Options for the browser, in the JSON form of WebAuthn 3. */
type BrowserOptions = { [member: string]: Json } & { challenge: string };

const load = () => import("@simplewebauthn/server");

/** Browsers know no passkeys for IP addresses, so on this machine they are for localhost. */
function relyingParty({ baseUrl }: ServiceContext): { id: string; origin: string } {
  const url = new URL(baseUrl);
  if (isLoopbackName(url.hostname)) url.hostname = "localhost";
  return { id: url.hostname, origin: url.origin };
}

const descriptorsOf = (passkeys: readonly Passkey[]) =>
  passkeys.map(({ credentialId, transports }) => ({ id: credentialId, transports: transports as [] }));

/** What `navigator.credentials.create` needs. `userHandle` and `challenge` are in base64url. */
export async function registrationOptions(
  context: ServiceContext,
  user: { email: string; name: string; userHandle: string },
  challenge: string,
  existing: readonly Passkey[],
): Promise<BrowserOptions> {
  const { generateRegistrationOptions } = await load();
  const options = await generateRegistrationOptions({
    rpName: "Tern",
    rpID: relyingParty(context).id,
    userID: fromBase64Url(user.userHandle),
    userName: user.email,
    userDisplayName: user.name,
    challenge: fromBase64Url(challenge),
    attestationType: "none",
    excludeCredentials: descriptorsOf(existing),
    authenticatorSelection: { residentKey: "preferred", userVerification: "preferred" },
  });
  return options as unknown as BrowserOptions;
}

/** What `navigator.credentials.get` needs. Without passkeys, the browser offers all that it has for the service. */
export async function assertionOptions(
  context: ServiceContext,
  challenge: string,
  passkeys: readonly Passkey[],
  userVerification: "required" | "preferred",
): Promise<BrowserOptions> {
  const { generateAuthenticationOptions } = await load();
  const options = await generateAuthenticationOptions({
    rpID: relyingParty(context).id,
    challenge: fromBase64Url(challenge),
    allowCredentials: descriptorsOf(passkeys),
    userVerification,
  });
  return options as unknown as BrowserOptions;
}

/** A new credential. Binary values are in base64url. */
export interface NewCredential {
  credentialId: string;
  publicKey: string;
  counter: number;
  isSynced: boolean;
}

/** Verifies the answer to {@link registrationOptions}. Throws a 400 if it is not genuine. */
export async function verifyRegistration(
  context: ServiceContext,
  answer: RegistrationAnswer,
  challenge: string,
): Promise<NewCredential> {
  const { verifyRegistrationResponse } = await load();
  const { id, origin } = relyingParty(context);
  const verified = await verifyRegistrationResponse({
    response: answer as unknown as RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: id,
    // A security key without a PIN is a second factor all the same.
    requireUserVerification: false,
  }).catch(refuse);
  if (verified?.verified !== true) throw badRequest("invalid_passkey");
  const { credential, credentialDeviceType } = verified.registrationInfo;
  return {
    credentialId: credential.id,
    publicKey: toBase64Url(credential.publicKey),
    counter: credential.counter,
    isSynced: credentialDeviceType === "multiDevice",
  };
}

/** Verifies the answer to {@link assertionOptions}. Returns the authenticator's counter. Throws a 401 if it is not genuine. */
export async function verifyAssertion(
  context: ServiceContext,
  answer: AssertionAnswer,
  challenge: string,
  passkey: Passkey,
  requireUserVerification: boolean,
): Promise<number> {
  const { verifyAuthenticationResponse } = await load();
  const { id, origin } = relyingParty(context);
  const { credentialId, publicKey, counter } = passkey;
  const verified = await verifyAuthenticationResponse({
    response: answer as unknown as AuthenticationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: id,
    credential: { id: credentialId, publicKey: fromBase64Url(publicKey), counter },
    requireUserVerification,
  }).catch(refuse);
  if (verified?.verified !== true) throw wrongPasskey();
  return verified.authenticationInfo.newCounter;
}

export const wrongPasskey = () => invalidCredentials("refused_passkey");

/** The library throws for every answer that is not genuine. */
function refuse(error: unknown): null {
  log("info", "passkey_refused", describeError(error));
  return null;
}
