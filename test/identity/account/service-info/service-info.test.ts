import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { SERVICE_VERSION } from "../../../../src/platform/http/openapi.ts";
import type { ServiceInfo } from "../../../../src/identity/account/service-info/contract.ts";
import { buildRequest, createAccount, jsonOf, send, type CallOptions, type ErrorJson } from "../../../support/api.ts";
import { measureD1 } from "../../../support/d1-meter.ts";

type Variables = Record<string, string>;

async function read(variables: Variables = {}, path = "/api/service"): Promise<ServiceInfo> {
  const response = await send(buildRequest("GET", path), variables);
  expect([response.status, response.headers.get("Cache-Control")]).toEqual([200, "public, max-age=60"]);
  return (await jsonOf<{ service: ServiceInfo }>(response)).service;
}

it("says what visitors can do, without a key or a setting that is nobody's business, and reads once whether there is an owner", async () => {
  const secrets = {
    SIGN_UP: "acme.com",
    MAIL_FROM: "Tern <tern@acme.com>",
    MAIL_API_TOKEN: "hush",
  };
  const cost = await measureD1(async () =>
    expect(await read(secrets)).toEqual({
      version: SERVICE_VERSION,
      claimed: true,
      signIn: true,
      signUp: "open",
      emailDomainsLimited: true,
      mail: true,
      anonymousLinks: true,
    }),
  );
  expect(cost.roundTrips).toBe(1);
  expect((await measureD1(() => read())).roundTrips).toBe(0);
});

it.each<[Variables, Partial<ServiceInfo>]>([
  [{ SIGN_UP: "invited" }, { signUp: "invited", emailDomainsLimited: false }],
  [{ SIGN_UP: "closed" }, { signUp: "closed" }],
  [{ SIGN_UP: "" }, { signUp: "invited" }],
  [{ SIGN_UP: "open" }, { signUp: "open", emailDomainsLimited: false }],
  [{ SIGN_UP: "acme.com, everybody" }, { signUp: "invited", emailDomainsLimited: false }],
  [{ SIGN_UP: "everybody" }, { signUp: "invited" }],
  [{ MAIL_API_TOKEN: "", MAIL_FROM: "Tern <tern@acme.com>" }, { mail: false }],
  [{ MAIL_API_TOKEN: "hush", MAIL_FROM: "" }, { mail: false }],
  [
    { BASE_URL: "", SIGN_UP: "open" },
    { signIn: false, signUp: "closed" },
  ],
  [{ ANONYMOUS_LINKS_PER_MINUTE: "0" }, { anonymousLinks: false }],
  [{ ANONYMOUS_LINKS_PER_MINUTE: "1" }, { anonymousLinks: true }],
  // Other values are the default.
  [{ ANONYMOUS_LINKS_PER_MINUTE: "" }, { anonymousLinks: true }],
  [{ ANONYMOUS_LINKS_PER_MINUTE: " " }, { anonymousLinks: true }],
  [{ ANONYMOUS_LINKS_PER_MINUTE: "-1" }, { anonymousLinks: true }],
  [{ ANONYMOUS_LINKS_PER_MINUTE: "none" }, { anonymousLinks: true }],
])("with %j says %j", async (variables, expected) => {
  expect(await read(variables)).toMatchObject(expected);
});

it("on this machine is open, with mails in the outbox", async () => {
  const local = { BASE_URL: "", SIGN_UP: "" };
  expect(await read(local, "http://localhost:8787/api/service")).toMatchObject({
    signIn: true,
    signUp: "open",
    mail: true,
  });
});

it("where the operator permits no links without a key, refuses them and says what to do", async () => {
  const { key } = await createAccount();
  const off: Variables = { ANONYMOUS_LINKS_PER_MINUTE: "0" };
  const shorten = (options: CallOptions = {}) =>
    send(buildRequest("POST", "/api/shorten", { body: { url: "https://example.com/" }, ...options }), off);
  const links = () => env.DB.prepare("SELECT count(*) AS n FROM links").first<number>("n");
  const before = await links();
  const refused = await shorten();
  expect([refused.status, await jsonOf<ErrorJson>(refused)]).toMatchObject([
    403,
    { code: "forbidden", details: [{ path: "", code: "members_only" }] },
  ]);
  expect(refused.headers.get("X-RateLimit-Limit")).toBe("5");
  // Web pages of others may read why.
  const page = await shorten({ headers: { Origin: "https://other.example" } });
  expect([page.status, page.headers.get("Access-Control-Allow-Origin")]).toEqual([403, "*"]);
  expect(await links()).toBe(before);
  expect((await shorten({ key })).status).toBe(201);
  expect((await shorten({ key: `svc_sk_live_${"0".repeat(64)}` })).status).toBe(401);
});
