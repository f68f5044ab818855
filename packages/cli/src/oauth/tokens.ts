import { setTimeout as pause } from "node:timers/promises";
import { TernError } from "@tern/sdk";
import * as oauth from "oauth4webapi";
import { changeLogin, type Login, type Tokens } from "../config/logins.ts";
import { asTernError, discover, toTokens } from "./server.ts";

/** An access token that ends within this time is replaced before it is used. */
const MARGIN_MS = 60_000;
const ATTEMPTS = 3;
const PAUSE_MS = 1_000;

export const isEnding = ({ expiresAt }: Tokens): boolean => expiresAt - Date.now() < MARGIN_MS;

/**
 * Replaces tokens of a login, and stores the new ones before they are used. Of processes that do so at the same time, one asks the
 * service, and the others take what it has stored: `former` is the access token that each of them found.
 */
export async function renewTokens(name: string, baseUrl: string, former: string): Promise<Tokens> {
  let renewed: Tokens | undefined;
  await changeLogin(name, async (login) => {
    // Another process may have logged in elsewhere: no token goes to another service than its own.
    if (login?.tokens === undefined || login.baseUrl !== baseUrl) throw ended(name);
    const isRenewed = login.tokens.accessToken !== former && !isEnding(login.tokens);
    renewed = isRenewed ? login.tokens : await refresh(name, baseUrl, login.tokens);
    return isRenewed ? undefined : { ...login, tokens: renewed };
  });
  return renewed as Tokens;
}

async function refresh(name: string, baseUrl: string, tokens: Tokens): Promise<Tokens> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await requestTokens(baseUrl, tokens);
    } catch (error) {
      if (!(error instanceof TernError)) throw error;
      if (error.code === "invalid_grant") throw ended(name);
      // The service repeats an answer that was lost, but not for long.
      const mayPass = error.code === "connection_failed" || error.status >= 500;
      if (!mayPass || attempt === ATTEMPTS) throw error;
      await pause(PAUSE_MS);
    }
  }
}

async function requestTokens(baseUrl: string, { clientId, refreshToken }: Tokens): Promise<Tokens> {
  const { metadata, options } = await discover(baseUrl);
  const client = { client_id: clientId };
  return asTernError(baseUrl, async () => {
    const response = await oauth.refreshTokenGrantRequest(metadata, client, oauth.None(), refreshToken, {
      additionalParameters: { resource: `${baseUrl}/api` },
      ...options(),
    });
    return toTokens(clientId, await oauth.processRefreshTokenResponse(metadata, client, response));
  });
}

const ended = (name: string) =>
  new TernError("unauthorized", `The login ${name} has ended, or was replaced.`, { status: 401 });

/** Ends the connection of a login by the browser at the service. */
export async function revokeTokens({ baseUrl, tokens }: Login): Promise<void> {
  if (tokens === undefined) return;
  const { metadata, options } = await discover(baseUrl);
  const client = { client_id: tokens.clientId };
  await asTernError(baseUrl, async () => {
    const { refreshToken } = tokens;
    const response = await oauth.revocationRequest(metadata, client, oauth.None(), refreshToken, options());
    await oauth.processRevocationResponse(response);
  });
}
