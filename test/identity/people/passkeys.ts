import { expect } from "vitest";
import { Authenticator, type Behaviour } from "./authenticator.ts";
import { post } from "./factors.ts";
import { Browser, signUp, takeMails } from "./support.ts";

/** The options for the browser's WebAuthn call. */
export async function optionsAt(browser: Browser, path: string): Promise<object> {
  return (await post(browser, path)).body;
}

export async function addPasskey(browser: Browser, key: Authenticator, behaviour?: Behaviour, name?: string) {
  const answer = await key.register(await optionsAt(browser, "/passkeys/options"), behaviour);
  return post(browser, "/passkeys", { ...answer, ...(name !== undefined && { name }) });
}

/** A person with a passkey. */
export async function withPasskey(behaviour?: Behaviour) {
  const person = await signUp();
  const key = await Authenticator.create();
  const added = await addPasskey(person.browser, key, behaviour);
  expect(added.status).toBe(201);
  await takeMails();
  const { id } = added.body["passkey"] as { id: string };
  return { ...person, key, id, recoveryCodes: added.body["recoveryCodes"] as string[] };
}

/** Signs in with the passkey alone. */
export async function signInWith(key: Authenticator, behaviour?: Behaviour, browser = new Browser()) {
  const answer = await key.prove(await optionsAt(browser, "/passkeys/sign-in/options"), behaviour);
  return { browser, answer, reply: await post(browser, "/passkeys/sign-in", answer) };
}
