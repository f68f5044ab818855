import { MAX_PAGE_SIZE_ITEMS } from "../../../src/limits.ts";
import { SCOPES } from "../../../src/auth/scopes.ts";
import type { FilledAccount } from "../account.ts";
import { randomText } from "../bodies.ts";
import type { WorstCall } from "./call.ts";
import { fill, personCall, type PersonAsk } from "./person.ts";

// Apps that a person connects by OAuth.

/** As long as a `client_id` may be, with its redirect URI. */
const longestUri = () => `https://assistant.example/${randomText(900)}`;

/** The query of an app that has registered with long metadata. */
async function authorizationQuery(account: FilledAccount): Promise<string> {
  const redirectUri = longestUri();
  const metadata = { client_name: randomText(80), redirect_uris: [longestUri(), redirectUri] };
  const ask = { method: "POST", path: "/oauth/register", key: null, body: JSON.stringify(metadata) };
  const { client_id: clientId } = await account.ask<{ client_id: string }>(ask);
  return new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: randomText(43),
    code_challenge_method: "S256",
    state: randomText(500),
  }).toString();
}

/** The grants of the longest page and more, in the personal account of the person. */
async function withGrants(account: FilledAccount, ask: PersonAsk): Promise<PersonAsk> {
  const { userId } = account.person;
  const values = `format('01920b5c-7d6a-7c3e-9b1f-%012x', i), (SELECT id FROM accounts WHERE personal_user_id = '${userId}'),
    '${userId}', 'hash', 'Assistant', NULL, 'https://assistant.example/', '["links:read"]', '[]', 0, 4e12, 4e12, NULL`;
  await fill(account, "oauth_grants", values, MAX_PAGE_SIZE_ITEMS + 1);
  return ask;
}

async function decide(account: FilledAccount): Promise<PersonAsk> {
  await account.server.db.prepare("DELETE FROM oauth_grants WHERE user_id = ?1").bind(account.person.userId).run();
  const query = await authorizationQuery(account);
  return { method: "POST", path: "/api/auth/apps/decide", body: { query, allow: true, scopes: SCOPES } };
}

export const appCalls = {
  "POST /api/auth/apps/describe": [
    personCall("an app with a long registration", async (account) => ({
      method: "POST",
      path: "/api/auth/apps/describe",
      body: { query: await authorizationQuery(account) },
    })),
  ],
  "POST /api/auth/apps/decide": [personCall("an app is connected, with its mail", decide)],
  "GET /api/auth/apps": [
    personCall("a page of 100 apps", (account) =>
      withGrants(account, { method: "GET", path: `/api/auth/apps?limit=${MAX_PAGE_SIZE_ITEMS}` }),
    ),
  ],
  "DELETE /api/auth/apps/:id": [
    personCall("an app, with its mail", (account) =>
      withGrants(account, { method: "DELETE", path: "/api/auth/apps/01920b5c-7d6a-7c3e-9b1f-000000000001" }),
    ),
  ],
} satisfies Record<string, WorstCall[]>;
