import { TOTP } from "otpauth";
import { MAX_BULK_JOB_IDS } from "../../src/bulk/limits.ts";
import { newIds } from "../../src/lib/uuid.ts";
import { hashToken, newToken } from "../../src/lib/token.ts";
import { MAX_CLAIMS_PER_BROWSER } from "../../src/links/limits.ts";
import { stopUrl } from "../../src/mail-reports/stop.ts";
import { hashRecoveryCode } from "../../src/people/factors/codes.ts";
import { insertLinks } from "../../test/e2e/support/many-links.ts";
import { Authenticator } from "../../test/people/authenticator.ts";
import { NOW } from "../instrumented/year.ts";
import { BINDINGS, DESTINATION } from "../runtime.ts";
import { FIRST_ID, type FilledAccount } from "./account.ts";
import { largestAppFiles, largestImport } from "./files.ts";
import { randomText } from "./largest.ts";
import { PASSWORD } from "./names.ts";

// What the limits of the contracts do not say: which resources exist, and what a call needs besides.

/** What a request of an operation has instead of what its contract and the names give. */
export interface Hint {
  /** Fields of the body, or parameters of the query; undefined: left out. */
  fields?: Record<string, unknown>;
  /** The whole body. */
  body?: string | object;
  headers?: Record<string, string>;
  cookies?: Record<string, string>;
  /** The value of the last parameter of the path. */
  id?: string;
  /** The path with its query. */
  path?: string;
  /** Who calls: a key, or nobody. */
  key?: string | null;
}

type MakeHint = (account: FilledAccount, n: number) => Hint | Promise<Hint>;

/** A token as a mail has it. `payload` also fits the tokens that undo a change. */
async function addToken({ server, person }: FilledAccount, purpose: string, subject = person.userId, payload = {}) {
  const token = newToken();
  const all = { email: person.email, passkeys: [], totp: null, codes: null, ...payload };
  await server.db
    .prepare("INSERT INTO tokens VALUES (?1, ?2, ?3, ?4, ?5, ?6, NULL)")
    .bind(await hashToken(token), purpose, subject, JSON.stringify(all), NOW, 2 * NOW)
    .run();
  return token;
}

const withToken =
  (purpose: string, fields = {}): MakeHint =>
  async (account) => ({ fields: { token: await addToken(account, purpose), ...fields } });

/** The cookie of a browser that has given the password. */
const secondStep = async (account: FilledAccount) => ({
  cookies: { "tern-second-step": await addToken(account, "second_step") },
});

const run = ({ server }: FilledAccount, sql: string, ...values: unknown[]) =>
  server.db
    .prepare(sql)
    .bind(...values)
    .run();

/** The person has no passkey, so that the password is enough. */
const withoutPasskeys = (account: FilledAccount) =>
  run(account, "DELETE FROM passkeys WHERE user_id = ?1", account.person.userId);

/** A request of the person's browser. */
export function asPerson({ person }: FilledAccount, cookies: Record<string, string> = {}, isMember = false) {
  const all = Object.entries({ tern: person.token, ...cookies }).map(([name, value]) => `${name}=${value}`);
  const headers = {
    Origin: BINDINGS.BASE_URL,
    Cookie: all.join("; "),
    ...(isMember && { "X-Account-Id": person.team }),
  };
  return { method: "POST", key: null, headers };
}

async function newPasskey(account: FilledAccount) {
  const passkey = await Authenticator.create(BINDINGS.BASE_URL);
  const options = await account.ask<object>({ ...asPerson(account), path: "/api/auth/passkeys/options" });
  return { passkey, body: { ...(await passkey.register(options)), name: "Laptop" } };
}

async function signInByPasskey(account: FilledAccount): Promise<Hint> {
  const { passkey, body } = await newPasskey(account);
  await account.ask({ ...asPerson(account), path: "/api/auth/passkeys", body: JSON.stringify(body) });
  const started = await account.send({ ...asPerson(account), path: "/api/auth/passkeys/sign-in/options" });
  const [, cookie = ""] = /tern-passkey=([^;]+)/.exec(String(started.headers["set-cookie"])) ?? [];
  return { body: await passkey.prove(started.json() as object), cookies: { "tern-passkey": cookie } };
}

async function confirmTotp(account: FilledAccount): Promise<Hint> {
  await withoutPasskeys(account);
  const { secret } = await account.ask<{ secret: string }>({ ...asPerson(account), path: "/api/auth/mfa/totp" });
  const find = account.server.db.prepare("SELECT created_at FROM totp_factors WHERE user_id = ?1");
  const timestamp = (await find.bind(account.person.userId).first<number>("created_at")) ?? 0;
  return { fields: { code: new TOTP({ secret }).generate({ timestamp }) } };
}

async function withRecoveryCode(account: FilledAccount): Promise<Hint> {
  const code = randomText(24);
  await run(
    account,
    "INSERT INTO recovery_codes VALUES (?1, ?2, 0, NULL)",
    await hashRecoveryCode(code),
    account.person.userId,
  );
  return { body: { recoveryCode: code }, ...(await secondStep(account)) };
}

/** An invitation of the person to a team of somebody else. */
async function invite(account: FilledAccount): Promise<Hint> {
  const { userId, email } = account.person;
  const { id } =
    (await account.server.db.prepare("SELECT min(id) AS id FROM accounts WHERE name = 'Copy'").first()) ?? {};
  await run(account, "INSERT OR IGNORE INTO memberships VALUES (?1, 'keeper', 'owner', 0)", id);
  await run(account, "DELETE FROM memberships WHERE account_id = ?1 AND user_id = ?2", id, userId);
  const token = newToken();
  await run(
    account,
    "INSERT INTO invitations VALUES (?1, ?2, ?3, ?3, 'member', ?4, NULL, 0, 4e12, NULL)",
    crypto.randomUUID(),
    id,
    email,
    await hashToken(token),
  );
  return { fields: { token } };
}

/** As many anonymous links as a browser can claim. */
async function addClaims(account: FilledAccount, n: number): Promise<Hint> {
  const [prefix, secret] = [`claim${n}-`, newToken()];
  await insertLinks(account.server.db, { prefix, first: 1, last: MAX_CLAIMS_PER_BROWSER, url: DESTINATION });
  await run(account, "UPDATE links SET expires_at = 4e12 WHERE domain = '' AND slug GLOB ?1", `${prefix}*`);
  await run(
    account,
    `INSERT INTO link_claims (link_seq, link_id, hash, created_at)
     SELECT seq, id, ?1, 0 FROM links WHERE domain = '' AND slug GLOB ?2`,
    await hashToken(secret),
    `${prefix}*`,
  );
  return { cookies: { "tern-claims": secret } };
}

/** The query of an app that has registered, as long as its parts may be. */
async function ofApp(account: FilledAccount): Promise<Hint> {
  await run(account, "DELETE FROM oauth_grants");
  const redirectUri = `https://assistant.example/${randomText(900)}`;
  const metadata = {
    client_name: randomText(80),
    redirect_uris: [`https://assistant.example/${randomText(900)}`, redirectUri],
  };
  const { client_id: clientId } = await account.ask<{ client_id: string }>({
    method: "POST",
    path: "/oauth/register",
    key: null,
    body: JSON.stringify(metadata),
  });
  const query = new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri,
    state: randomText(500),
    code_challenge: randomText(43),
    code_challenge_method: "S256",
  });
  return { fields: { query: query.toString() } };
}

const ofAccount: MakeHint = async ({ server, accountId }) => ({
  fields: { confirm: await server.db.prepare("SELECT name FROM accounts WHERE id = ?1").bind(accountId).first("name") },
});

/** Only the first takedown is in force, and of the account. Without it, there is none. */
const withoutTakedowns = async (account: FilledAccount) => {
  for (const table of ["appeals", "takedown_accounts", "takedowns"]) await run(account, `DELETE FROM ${table}`);
};

const stopReport: MakeHint = async () => ({ path: await stopUrl(BINDINGS, "", FIRST_ID) });

/** Headers that ask for another protocol. */
const WEBSOCKET = {
  Connection: "Upgrade",
  Upgrade: "websocket",
  "Sec-WebSocket-Version": "13",
  "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
};

/** What is about a link cannot be about a tag too. */
const ofLink: MakeHint = () => ({ fields: { tag: undefined } });

const ofReceiver: MakeHint = () => ({ fields: { url: `https://hooks.tern-receiver.com/${randomText(1_900)}` } });

/** By operation. */
export const HINTS: Record<string, MakeHint> = {
  "GET /api/links": () => ({ fields: { archived: "include" } }),
  "GET /api/links/by-url": async ({ ask, heavyLinks }) => {
    const { link } = await ask<{ link: { shortUrl: string } }>({ method: "GET", path: `/api/links/${heavyLinks[0]}` });
    return { fields: { url: link.shortUrl } };
  },
  "POST /api/notes": ofLink,
  "POST /api/shared-pages": ofLink,
  "POST /api/account/mail-reports": ofLink,
  "POST /api/shorten (anonymous)": () => ({ key: null, fields: { slug: undefined } }),
  "PATCH /api/tags/:tag (color)": () => ({ fields: { name: undefined } }),
  "POST /api/bulk": () => ({
    fields: { filter: undefined, changes: undefined, restore: undefined, ids: newIds(NOW, MAX_BULK_JOB_IDS) },
  }),
  "POST /api/imports": () => ({ body: largestImport(), headers: { "Content-Type": "text/csv" } }),
  "PATCH /api/imports/:id": () => ({ fields: { mapping: undefined, domains: undefined } }),
  "POST /api/domains/add": () => ({ fields: { domain: `${"bücher.".repeat(8)}${randomText(8)}.acme.com` } }),
  "GET /api/clicks/live": () => ({ headers: WEBSOCKET }),
  "PATCH /api/domains/:id": () => ({ fields: largestAppFiles() }),
  "PATCH /api/deep-links/domains/:id": () => ({ fields: largestAppFiles() }),
  "POST /api/exports": () => ({ body: { kind: "links", search: "www.shop" } }),
  // A code at the highest level holds no more.
  "POST /api/qr": () => ({ fields: { content: randomText(1_273) } }),
  "POST /api/webhooks": ofReceiver,
  "PATCH /api/webhooks/:id": ofReceiver,
  "POST /api/auth/sign-in": ({ person }) => ({ fields: { email: person.email } }),
  "POST /api/auth/verify-email": async (account) => {
    const email = `${randomText(40)}@example.com`;
    const payload = { email, name: "Ann Lee", passwordHash: "", browserHash: "" };
    return { fields: { token: await addToken(account, "verify_email", email, payload) } };
  },
  "POST /api/auth/tokens/check": withToken("undo_email", { purpose: "undo_email" }),
  "POST /api/auth/password/forgot": ({ person }) => ({ fields: { email: person.email } }),
  "POST /api/auth/password/reset": withToken("reset_password"),
  "POST /api/auth/password/change": () => ({ fields: { password: "forty green umbrellas" } }),
  "POST /api/auth/email/confirm": async (account) => ({
    fields: { token: await addToken(account, "confirm_email", undefined, { email: `${randomText(40)}@example.com` }) },
  }),
  "POST /api/auth/email/undo": withToken("undo_email"),
  "POST /api/auth/mfa/undo": withToken("undo_factor"),
  "POST /api/auth/confirm": async (account) => {
    await withoutPasskeys(account);
    return { body: { password: PASSWORD } };
  },
  "POST /api/auth/sign-in/mfa/options": secondStep,
  "POST /api/auth/sign-in/mfa": withRecoveryCode,
  "POST /api/auth/mfa/totp/confirm": confirmTotp,
  "DELETE /api/auth/mfa/totp": async (account) => {
    await withoutPasskeys(account);
    await run(account, "INSERT INTO totp_factors VALUES (?1, '', 0, 0, 0, NULL)", account.person.userId);
    return {};
  },
  "POST /api/auth/passkeys": async (account) => ({ body: (await newPasskey(account)).body }),
  "POST /api/auth/passkeys/sign-in": signInByPasskey,
  "POST /api/auth/invitation": invite,
  "POST /api/teams/invitations/accept": invite,
  "POST /api/teams/invitations/decline": invite,
  "POST /api/auth/apps/describe": ofApp,
  "POST /api/auth/apps/decide": ofApp,
  "POST /api/account/claims": addClaims,
  "DELETE /api/account": ofAccount,
  "DELETE /api/teams/:id": ofAccount,
  "POST /api/account/restore": async (account) => {
    await run(account, "UPDATE accounts SET deleted_at = ?2 WHERE id = ?1", account.accountId, NOW);
    return {};
  },
  "GET /api/account/mail-reports/stop": stopReport,
  "POST /api/account/mail-reports/stop": stopReport,
  "GET /api/account/icons/:id": async ({ server, accountId }, n) => {
    const insert = server.db.prepare(
      `INSERT INTO destinations (link_id, link_seq, account_id, due_at, visited_hash, outcome, icon, final_host, response_status, checked_at)
       SELECT id, seq, account_id, 9e12, url_hash, 'working', ?2, 'icons.dev', 200, ?3 FROM links WHERE account_id = ?1 LIMIT 1
       ON CONFLICT DO UPDATE SET icon = excluded.icon RETURNING link_id`,
    );
    const icon = `https://icons.dev/${n}-${crypto.randomUUID()}.png`;
    return { id: (await insert.bind(accountId, icon, NOW).first<string>("link_id")) ?? "" };
  },
  "POST /api/account/takedowns/:id/appeal": async (account) => {
    await run(account, "DELETE FROM appeals");
    return { id: FIRST_ID };
  },
  "POST /api/admin/takedowns": async (account, n) => ({
    fields: { kind: "host", value: `www.shop-${n % 997}.example` },
  }),
  "DELETE /api/admin/takedowns/:id": () => ({ id: FIRST_ID }),
  "POST /api/admin/reports/:id/decision": async (account) => {
    await withoutTakedowns(account);
    return { id: FIRST_ID, fields: { kind: "account" } };
  },
  "POST /api/admin/appeals/:id/decision": () => ({ id: FIRST_ID }),
  "POST /api/admin/screening": () => ({ fields: { kind: "entry", value: "evil.dev" } }),
  "DELETE /api/admin/screening/:id": () => ({ id: FIRST_ID }),
};
