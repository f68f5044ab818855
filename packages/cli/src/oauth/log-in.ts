import * as oauth from "oauth4webapi";
import type { Tokens } from "../config/logins.ts";
import { RefusedError } from "../errors.ts";
import { interruptible } from "../interrupt.ts";
import { note } from "../output/terminal.ts";
import { toLine } from "../output/text.ts";
import { openBrowser } from "./browser.ts";
import { ForeignAnswerError, REGISTERED_REDIRECT_URI, startLoopback } from "./loopback.ts";
import { asTernError, discover, toTokens, type Server } from "./server.ts";

/** One login: what connects the answer in the browser with this process. */
interface Attempt {
  server: Server;
  client: oauth.Client;
  state: string;
  verifier: string;
  /** A browser may send the answer twice, but its code works once. */
  isAnswered?: boolean;
}

/** Leads the person through the authorization in the browser (RFC 8252), and returns the tokens. Throws if the person refuses. */
export async function logInByBrowser(baseUrl: string): Promise<Tokens> {
  const server = await discover(baseUrl);
  const client = await register(server);
  const attempt = { server, client, state: oauth.generateRandomState(), verifier: oauth.generateRandomCodeVerifier() };
  const loopback = await startLoopback((answer) => redeem(attempt, answer));
  const page = await pageOf(attempt, loopback.redirectUri);
  note(
    `Confirm the login in the browser. Ctrl-C ends it. If no page opens, open this address on this computer:\n${page}`,
  );
  openBrowser(page, () => note("The browser could not be opened."));
  try {
    return await interruptible(
      () => note("Cancelled. Nothing was changed."),
      () => loopback.result,
    );
  } finally {
    loopback.stop();
  }
}

/** The service makes the same `client_id` each time, so it knows this client again. */
async function register({ baseUrl, metadata, options }: Server): Promise<oauth.Client> {
  const client = {
    client_name: "Tern command line",
    redirect_uris: [REGISTERED_REDIRECT_URI],
    token_endpoint_auth_method: "none",
  };
  return asTernError(baseUrl, async () =>
    oauth.processDynamicClientRegistrationResponse(
      await oauth.dynamicClientRegistrationRequest(metadata, client, options()),
    ),
  );
}

/** Names no scope: the person sees all, and chooses. */
async function pageOf({ server, client, state, verifier }: Attempt, redirectUri: string): Promise<string> {
  const page = new URL(server.metadata.authorization_endpoint ?? "");
  const parameters = {
    response_type: "code",
    client_id: client.client_id,
    redirect_uri: redirectUri,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    resource: `${server.baseUrl}/api`,
    state,
  };
  for (const [name, value] of Object.entries(parameters)) page.searchParams.set(name, value);
  return page.href;
}

/** Exchanges the code of the answer for tokens, if the answer has the state of this login and comes from its service (RFC 9207). */
async function redeem(attempt: Attempt, answer: URL): Promise<Tokens> {
  const { server, client, state, verifier } = attempt;
  const { baseUrl, metadata, options } = server;
  let parameters: URLSearchParams;
  try {
    parameters = oauth.validateAuthResponse(metadata, client, answer, state);
  } catch (error) {
    if (!(error instanceof oauth.AuthorizationResponseError)) throw new ForeignAnswerError(undefined, { cause: error });
    if (error.error === "access_denied") throw new RefusedError("You refused the login in the browser.");
    throw new RefusedError(`The service refused the login: ${toLine(error.error_description ?? error.error)}`);
  }
  if (attempt.isAnswered === true) throw new ForeignAnswerError();
  attempt.isAnswered = true;
  const redirectUri = answer.origin + answer.pathname;
  return asTernError(baseUrl, async () => {
    const request = [metadata, client, oauth.None(), parameters, redirectUri, verifier] as const;
    const response = await oauth.authorizationCodeGrantRequest(...request, {
      additionalParameters: { resource: `${baseUrl}/api` },
      ...options(),
    });
    return toTokens(client.client_id, await oauth.processAuthorizationCodeResponse(metadata, client, response));
  });
}
