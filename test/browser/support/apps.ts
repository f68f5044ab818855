import { createServer } from "node:http";
import { createHash, randomBytes } from "node:crypto";
import type { AddressInfo } from "node:net";
import type { BrowserContext, Page } from "playwright-core";
import { expect } from "vitest";
import { newClient } from "./addresses.ts";
import { ORIGIN } from "./dashboard.ts";

// Apps that connect by OAuth 2.1, as assistants do: they register themselves, send the person to the service, and get the
// answer at an address of theirs.

/** Opens the address in its query in a popup, and says what the popup's last page reports. */
const OPENER = `<!doctype html><title>App</title><button onclick="open(location.search.slice(1), '', 'popup')">Connect</button>
<output></output><script>onmessage = ({ data }) => (document.querySelector("output").textContent = data)</script>`;
/** Reports the answer to the page that opened the popup. */
const CALLBACK = `<!doctype html><title>Answer</title><p>Answer</p><script>opener?.postMessage(location.search, "*")</script>`;

const site = createServer((request, response) => {
  response.setHeader("Content-Type", "text/html");
  response.end(request.url?.startsWith("/callback") === true ? CALLBACK : OPENER);
});
await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
// It ends with the process.
site.unref();

/** The website of the apps, on this machine. */
const SITE = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
/** Matches what a visit reports as a problem when it is at the site. */
export const AT_SITE = /^request to http:\/\/127\.0\.0\.1:/;
const CALLBACK_URI = `${SITE}/callback`;

export const ALL_SCOPES = "links:read links:write clicks:read domains:read domains:write webhooks:read";

export interface App {
  /** Where the app sends the person. */
  url: string;
  redirectUri: string;
  /** Gets a token for the code that the app got in this query. */
  redeem: (query: string) => Promise<{ access_token: string; scope: string }>;
}

/** Registers an app. `state` comes back with the answer. */
export async function registerApp({
  name = "Assistant",
  redirectUri = CALLBACK_URI,
  scope = ALL_SCOPES,
  state = "state-1",
} = {}): Promise<App> {
  const registration = await fetch(`${ORIGIN}/oauth/register`, {
    method: "POST",
    headers: { ...newClient(), "Content-Type": "application/json" },
    body: JSON.stringify({ client_name: name, redirect_uris: [redirectUri], token_endpoint_auth_method: "none" }),
  });
  expect(registration.status, await registration.clone().text()).toBe(201);
  const { client_id: clientId } = (await registration.json()) as { client_id: string };
  const verifier = randomBytes(32).toString("base64url");
  const query = new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    scope,
    state,
  });
  const redeem = async (answer: string) => {
    const code = new URLSearchParams(answer).get("code") ?? "";
    const response = await fetch(`${ORIGIN}/oauth/token`, {
      method: "POST",
      headers: newClient(),
      body: new URLSearchParams({
        grant_type: "authorization_code",
        code,
        client_id: clientId,
        redirect_uri: redirectUri,
        code_verifier: verifier,
      }),
    });
    expect(response.status, await response.clone().text()).toBe(200);
    return (await response.json()) as { access_token: string; scope: string };
  };
  return { url: `/oauth/authorize?${query.toString()}`, redirectUri, redeem };
}

/** Opens the app's request in a popup of the app's own page, as websites do. */
export async function openPopup(context: BrowserContext, app: App): Promise<{ opener: Page; popup: Page }> {
  const opener = await context.newPage();
  await opener.goto(`${SITE}/?${ORIGIN}${app.url}`);
  const opened = context.waitForEvent("page");
  await opener.getByRole("button", { name: "Connect" }).click();
  return { opener, popup: await opened };
}

/** The query with which the app's own page got the answer. */
export async function answerAt(page: Page): Promise<string> {
  await page.waitForURL(`${CALLBACK_URI}?*`);
  return new URL(page.url()).search;
}

/** Connects an app by the calls that the page makes. Returns its access token. */
export async function connectApp(
  context: BrowserContext,
  options: { name?: string; scope?: string; accountId?: string } = {},
): Promise<string> {
  const { accountId, ...app } = options;
  const { url, redeem } = await registerApp(app);
  const headers = { Origin: ORIGIN, ...(accountId !== undefined && { "X-Account-Id": accountId }) };
  const response = await context.request.post("/api/auth/apps/decide", {
    data: { query: url.split("?")[1], allow: true, scopes: (app.scope ?? ALL_SCOPES).split(" ") },
    headers,
  });
  expect(response.status(), await response.text()).toBe(200);
  const { redirectUri } = (await response.json()) as { redirectUri: string };
  return (await redeem(new URL(redirectUri).search)).access_token;
}
