import { auth, type OAuthClientProvider } from "@modelcontextprotocol/client";
import { beforeEach, expect, it } from "vitest";
import { BASE_URL, buildRequest, send } from "../../support/api.ts";
import { post } from "../../assistants/client.ts";
import { PEOPLE, signUp } from "../people/support.ts";
import { internet } from "../../webhooks/support.ts";
import { allow, CALLBACK } from "./support.ts";

beforeEach(() => internet.reset());

/** Sends the requests of the official client to the Worker. */
const fetchFn = async (input: string | URL, init: RequestInit = {}): Promise<Response> => {
  const text = init.body === undefined || init.body === null ? {} : { body: await new Response(init.body).text() };
  const headers = Object.fromEntries(new Headers(init.headers));
  return send(buildRequest(init.method ?? "GET", String(input), { headers, ...text }), PEOPLE);
};

it("the official client registers, is sent to the page, and has tokens after the decision", async () => {
  const { browser } = await signUp();
  const kept: { client?: object; tokens?: object; verifier: string; page?: URL } = { verifier: "" };
  const provider = {
    redirectUrl: CALLBACK,
    clientMetadata: { client_name: "Official", redirect_uris: [CALLBACK], token_endpoint_auth_method: "none" },
    clientInformation: () => kept.client,
    saveClientInformation: (client: object) => void (kept.client = client),
    tokens: () => kept.tokens,
    saveTokens: (tokens: object) => void (kept.tokens = tokens),
    redirectToAuthorization: (url: URL) => void (kept.page = url),
    saveCodeVerifier: (verifier: string) => void (kept.verifier = verifier),
    codeVerifier: () => kept.verifier,
  } as unknown as OAuthClientProvider;
  const options = { serverUrl: `${BASE_URL}/mcp`, fetchFn: fetchFn as typeof fetch };
  expect(await auth(provider, options)).toBe("REDIRECT");
  expect(kept.page?.searchParams.get("resource")).toBe(`${BASE_URL}/mcp`);
  const url = await allow(browser, kept.page?.search ?? "");
  const authorizationCode = url.searchParams.get("code") ?? "";
  const iss = url.searchParams.get("iss") ?? "";
  expect(await auth(provider, { ...options, authorizationCode, iss })).toBe("AUTHORIZED");
  const { access_token: access } = kept.tokens as { access_token: string };
  const list = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
  expect((await post(access, list)).status).toBe(200);
  // It refreshes by itself.
  expect(await auth(provider, options)).toBe("AUTHORIZED");
  expect((kept.tokens as { access_token: string }).access_token).not.toBe(access);
});
