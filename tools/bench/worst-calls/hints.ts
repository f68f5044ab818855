import { TOTP } from "otpauth";
import { stopUrl } from "../../../src/clicks/mail-reports/stop.ts";
import { Authenticator } from "../../../test/identity/people/authenticator.ts";
import { NOW } from "../instrumented/year.ts";
import { BINDINGS } from "../runtime.ts";
import { asPerson, type Account } from "./account.ts";
import { importFile, largestAppFiles } from "./files.ts";
import { randomText } from "./largest.ts";
import { PASSWORD, RECOVERY_CODE } from "./names.ts";
import { FIRST_ID } from "./tables.ts";

// What the limits of the contracts do not say: requests that would be refused without it.

/** What a request of an operation has instead of what its contract and the names give. */
export interface Hint {
  /** Fields of the body, or parameters of the query; undefined: left out. */
  fields?: Record<string, unknown>;
  /** The whole body. */
  body?: string | object;
  headers?: Record<string, string>;
  /** The path with its query. */
  path?: string;
  /** Who calls: a key, or nobody. */
  key?: string | null;
  /** A statement before the request. */
  sql?: string;
}

type MakeHint = (account: Account) => Hint | Promise<Hint>;

const fields = (given: Record<string, unknown>) => (): Hint => ({ fields: given });
const withToken = (token: string) => fields({ token });

/** A passkey is asked for before a password. */
const WITHOUT_PASSKEYS = "DELETE FROM passkeys";

const post = async (account: Account, path: string, body?: object) => {
  const { key, headers } = asPerson(account, path);
  const answer = await account.send({ method: "POST", path, key, headers, body: body && JSON.stringify(body) });
  return { headers: answer.headers, body: answer.json() as Record<string, string> };
};

async function newPasskey(account: Account) {
  const passkey = await Authenticator.create(BINDINGS.BASE_URL);
  const { body } = await post(account, "/api/auth/passkeys/options");
  return { passkey, body: { ...(await passkey.register(body)), name: "Laptop" } };
}

async function signInByPasskey(account: Account): Promise<Hint> {
  const { passkey, body } = await newPasskey(account);
  await post(account, "/api/auth/passkeys", body);
  const started = await post(account, "/api/auth/passkeys/sign-in/options");
  const Cookie = String(started.headers["set-cookie"]).split(";")[0] ?? "";
  return { body: await passkey.prove(started.body), headers: { Cookie } };
}

async function confirmTotp(account: Account): Promise<Hint> {
  await account.server.db.exec(WITHOUT_PASSKEYS);
  const { secret = "" } = (await post(account, "/api/auth/mfa/totp")).body;
  const timestamp = await account.server.db.prepare("SELECT created_at AS at FROM totp_factors").first<number>("at");
  return { fields: { code: new TOTP({ secret }).generate({ timestamp: timestamp ?? 0 }) } };
}

/** The query of an app that has registered, as long as its parts may be. */
async function ofApp(account: Account): Promise<Hint> {
  const [redirect_uri = "", other] = [1, 2].map(() => `https://assistant.example/${randomText(900)}`);
  const metadata = { client_name: randomText(80), redirect_uris: [other, redirect_uri] };
  const { client_id = "" } = (await post(account, "/oauth/register", metadata)).body;
  const challenge = { code_challenge: randomText(43), code_challenge_method: "S256" };
  const query = { response_type: "code", client_id, redirect_uri, state: randomText(500), ...challenge };
  return { fields: { query: new URLSearchParams(query).toString() }, sql: "DELETE FROM oauth_grants" };
}

const ofAccount: MakeHint = async ({ server, accountId }) => ({
  fields: { confirm: await server.db.prepare("SELECT name FROM accounts WHERE id = ?1").bind(accountId).first("name") },
});

const stopReport: MakeHint = async () => ({ path: await stopUrl(BINDINGS, "", FIRST_ID) });

const withAppFiles: MakeHint = () => ({ fields: largestAppFiles() });
/** Headers that ask for another protocol. */
const UPGRADE = { Connection: "Upgrade", Upgrade: "websocket", "Sec-WebSocket-Version": "13" };

/** Each one is of another link. */
let reports = 0;

/** By operation. */
export const HINTS: Record<string, MakeHint> = {
  "GET /api/links/by-url": async ({ ask, heavyLinks }) => {
    const { shortUrl } = await ask<{ shortUrl: string }>({ method: "GET", path: `/api/links/${heavyLinks[0]}` });
    return { fields: { url: shortUrl } };
  },
  "POST /api/account/mail-reports": ({ heavyLinks }) => ({ fields: { linkId: heavyLinks[reports++] } }),
  "POST /api/shorten (anonymous)": () => ({ key: null, fields: { slug: undefined } }),
  "PATCH /api/tags/:tag (color)": fields({ name: undefined }),
  // The changes have a limit of their own.
  "POST /api/bulk": fields({ changes: { archived: true } }),
  "POST /api/imports": () => ({ body: importFile(), headers: { "Content-Type": "text/csv" } }),
  "PATCH /api/imports/:id": fields({ mapping: undefined, domains: undefined }),
  "POST /api/domains/add": () => ({ fields: { domain: `${"bücher.".repeat(8)}${randomText(8)}.acme.com` } }),
  "DELETE /api/domains/:id": ({ ids, accountId }) => ({
    fields: { force: "true" },
    sql: `UPDATE links SET domain = (SELECT domain FROM domains WHERE id = '${ids["/api/domains/{id}"]}')
      WHERE seq IN (SELECT seq FROM links WHERE account_id = ${accountId} AND domain = '' ORDER BY seq LIMIT 100)`.replaceAll(
      "\n",
      " ",
    ),
  }),
  "GET /api/clicks/live": () => ({ headers: { ...UPGRADE, "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==" } }),
  "PATCH /api/domains/:id": withAppFiles,
  "PATCH /api/deep-links/domains/:id": withAppFiles,
  "POST /api/exports": () => ({ body: { kind: "links", search: "www.shop" } }),
  // A code with a style holds no more at the highest level.
  "POST /api/qr": () => ({ fields: { content: randomText(382) } }),
  // It gets all events of links.
  "POST /api/webhooks": fields({ format: "event", linkIds: undefined, tags: undefined }),
  "POST /api/auth/sign-in": ({ person }) => ({ fields: { email: person.email } }),
  "POST /api/auth/sign-in/link": withToken("sign_in_link"),
  "POST /api/auth/verify-email": withToken("verify_email"),
  "POST /api/auth/tokens/check": fields({ token: "undo_email", purpose: "undo_email" }),
  "POST /api/auth/password/reset": withToken("reset_password"),
  "POST /api/auth/password/change": fields({ password: "forty green umbrellas" }),
  "POST /api/auth/email/confirm": withToken("confirm_email"),
  "POST /api/auth/email/undo": withToken("undo_email"),
  "POST /api/auth/mfa/undo": withToken("undo_factor"),
  "POST /api/auth/confirm": () => ({ sql: WITHOUT_PASSKEYS, body: { password: PASSWORD } }),
  "POST /api/auth/sign-in/mfa": () => ({ body: { recoveryCode: RECOVERY_CODE } }),
  "POST /api/auth/mfa/totp/confirm": confirmTotp,
  "DELETE /api/auth/mfa/totp": ({ person }) => ({
    sql: `INSERT INTO totp_factors VALUES ('${person.userId}', '', 0, 0, 0, NULL)`,
  }),
  "POST /api/auth/passkeys": async (account) => ({ body: (await newPasskey(account)).body }),
  "POST /api/auth/passkeys/sign-in": signInByPasskey,
  "POST /api/auth/invitation": withToken("invitation"),
  "POST /api/teams/invitations/accept": withToken("invitation"),
  "POST /api/teams/invitations/decline": withToken("invitation"),
  "POST /api/auth/apps/describe": ofApp,
  "POST /api/auth/apps/decide": ofApp,
  "POST /api/account/claims": () => ({
    sql: "UPDATE links SET account_id = NULL, expires_at = 4e12 WHERE slug GLOB 'claim-*'",
  }),
  "DELETE /api/account": ofAccount,
  "DELETE /api/teams/:id": ofAccount,
  "POST /api/account/restore": ({ accountId }) => ({
    sql: `UPDATE accounts SET deleted_at = ${NOW} WHERE id = ${accountId}`,
  }),
  "GET /api/account/mail-reports/stop": stopReport,
  "POST /api/account/mail-reports/stop": stopReport,
  "GET /api/account/icons/:id": () => ({ sql: "UPDATE destinations SET icon = 'https://icons.dev/' || random()" }),
  "POST /api/account/takedowns/:id/appeal": () => ({ sql: "DELETE FROM appeals" }),
  "POST /mcp": ({ key }) => ({
    key,
    headers: { Accept: "application/json, text/event-stream" },
    body: {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "get_analytics", arguments: { interval: "1y", compare: "previous" } },
    },
  }),
  "POST /api/admin/takedowns": () => ({
    fields: { kind: "host", value: `www.shop-${Math.floor(Math.random() * 997)}.example` },
  }),
  "POST /api/admin/reports/:id/decision": fields({ kind: "account" }),
  "POST /api/admin/screening": () => ({ fields: { kind: "entry", value: `${randomText(60)}.dev` } }),
};
