import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { because, readBecause, type Fault } from "../../../src/platform/http/faults.ts";
import {
  checkHost,
  createUrlGuard,
  guardOf,
  urlError,
  type UrlGuard,
} from "../../../src/platform/outbound/url-guard.ts";
import { MAX_DELIVERY_CONNECTIONS } from "../../../src/webhooks/limits.ts";
import { buildRequest, jsonOf, send, type ErrorJson } from "../../support/api.ts";
import { hostileUrls, publicUrls } from "./hostile-urls.ts";
import { internet, key, service, startService } from "../support.ts";

beforeEach(startService);

const RESOLVER = "https://resolver.dev/dns-query";

const variables = (allowed = "") => ({
  ANONYMOUS_HOST: "go.example.net",
  DB: env.DB,
  DNS_OVER_HTTPS_URL: RESOLVER,
  WEBHOOK_ALLOWED_PRIVATE_HOSTS: allowed,
});

function guard(baseUrl = "https://tern.test", allowed = "") {
  return createUrlGuard(variables(allowed), baseUrl, () => Promise.resolve(false));
}

/** The fault of the URL of a new webhook. */
async function refusal(fields: Record<string, unknown>): Promise<Fault | undefined> {
  const response = await service.call("POST", "/api/webhooks", { key, body: { events: ["link.create"], ...fields } });
  expect(response.status).toBe(400);
  return (await jsonOf<ErrorJson>(response)).details?.[0];
}

const faultOf = (url: string, of: UrlGuard) => readBecause("url", urlError(url, of) ?? because("invalid"));

describe("an address", () => {
  it("is refused in each of more than a thousand hostile spellings", () => {
    const urls = hostileUrls();
    expect(new Set(urls).size).toBeGreaterThan(1_000);
    expect(urls.filter((url) => urlError(url, guard()) === null)).toEqual([]);
  });

  it("is accepted if public, also next to a refused range", () => {
    expect(publicUrls().filter((url) => urlError(url, guard()) !== null)).toEqual([]);
  });

  it.each([
    "https://tern.test/x",
    "https://TERN.test./",
    "http://tern.test:8080/",
    "https://user@hooks.receiver.dev/",
    "https://user:secret@hooks.receiver.dev/",
    "ftp://hooks.receiver.dev/",
    "//hooks.receiver.dev/",
    "hooks.receiver.dev",
    "https://xn--a.receiver.dev/",
    "https://xn--zzzzzz99999.receiver.dev/",
    "https://",
    "https://hooks.receiver.dev/\u0000",
    "https://hooks.receiver.dev /",
    "https:\\\\hooks.receiver.dev",
    "javascript:alert(1)",
    "https://hooks.receiver.dev:99999/",
    "https://[::g]/",
    "https://a..dev/",
    "\ud800",
  ])("is refused as %j on creation", async (url) => {
    await refusal({ url });
  });
});

describe("a port", () => {
  const portError = (port: number, scheme = "https") => urlError(`${scheme}://hooks.receiver.dev:${port}/`, guard());

  it("is refused below 1024, except for 80 and 443", async () => {
    for (const port of [0, 1, 22, 25, 79, 81, 110, 442, 444, 587, 1_023]) {
      expect(portError(port)).toBe(because("refused_outbound_port", { min: 1_024 }));
      expect(urlError(`http://127.0.0.1:${port}/`, guard("http://localhost:8787", "127.0.0.1"))).toBe(portError(port));
    }
    for (const port of [80, 443, 1_024, 8_443, 65_535])
      for (const scheme of ["http", "https"]) expect(portError(port, scheme)).toBeNull();
    expect(await refusal({ url: "https://hooks.receiver.dev:25/" })).toMatchObject({
      path: "url",
      code: "refused_outbound_port",
      min: 1_024,
    });
  });
});

describe("a name", () => {
  it.each([
    ["a private address", ["192.168.0.1"]],
    ["an IPv6 loopback address", ["::1"]],
    ["an IPv4 address in an IPv6 one", ["::ffff:8.8.8.8"]],
    ["a public and a private address", ["93.184.215.14", "169.254.169.254"]],
    ["no address at all", ["nonsense"]],
  ])("that resolves to %s is refused", async (_, addresses) => {
    await internet.addresses({ "evil.receiver.dev": addresses });
    expect(await refusal({ url: "https://evil.receiver.dev/" })).toMatchObject({
      path: "url",
      code: "private_host",
    });
    const { id } = await service.createWebhook(key);
    const body = { url: "https://evil.receiver.dev/" };
    expect((await service.call("PATCH", `/api/webhooks/${id}`, { key, body })).status).toBe(400);
  });

  it.each([
    ["unknown", []],
    ["looked up at a failing resolver", "broken"],
  ])("that is %s is accepted, since it may resolve later", async (_, addresses) => {
    await internet.addresses({ "new.receiver.dev": addresses });
    await service.createWebhook(key, { url: "https://new.receiver.dev/" });
  });

  it("that becomes private after the creation is not called, nor through a redirect", async () => {
    await internet.addresses({ "flip.receiver.dev": [["93.184.215.14"], ["93.184.215.14"], ["127.0.0.1"]] });
    await internet.answers({ "turn.receiver.dev": { status: 307, headers: { Location: "http://127.0.0.1/canary" } } });
    await service.createWebhook(key, { url: "https://flip.receiver.dev/" });
    await internet.addresses({ "flip.receiver.dev": ["127.0.0.1"] });
    await service.createWebhook(key, { url: "https://turn.receiver.dev/" });
    await service.createLink(key);
    await service.deliver();
    expect((await internet.received()).map(({ url }) => url)).toEqual(["https://turn.receiver.dev/"]);
  });

  it("is looked up once for the attempts of a turn, and again for the next turn", async () => {
    const name = "turns.receiver.dev";
    await service.createWebhook(key, { url: `https://${name}/` });
    const before = (await internet.lookUps(name)).length;
    for (let n = 0; n <= MAX_DELIVERY_CONNECTIONS; n++) await service.createLink(key);
    await env.DB.prepare("UPDATE webhooks SET in_flight_limit = 25").run();
    await service.deliver();
    expect(await internet.received()).toHaveLength(MAX_DELIVERY_CONNECTIONS + 1);
    const queries = [`A ${name}`, `AAAA ${name}`];
    expect((await internet.lookUps(name)).slice(before)).toEqual([...queries, ...queries]);
  });

  it.each(["A", "AAAA"])("is not called while the lookup of its %s records fails", async (type) => {
    const name = "half.receiver.dev";
    const verdicts: Record<string, string> = {};
    for (const failure of ["servfail", "refused", "truncated", "missing", "nodata"]) {
      await internet.addresses({ [name]: `${type} ${failure}` });
      verdicts[failure] = await checkHost(new URL(`https://${name}/`), guard());
    }
    const failed = "unresolvable";
    expect(verdicts).toEqual({
      servfail: failed,
      refused: failed,
      truncated: failed,
      missing: "allowed",
      nodata: "allowed",
    });
    await internet.addresses({ [name]: `${type} servfail` });
    const { id } = await service.createWebhook(key, { url: `https://${name}/` });
    const ping = await service.call("POST", `/api/webhooks/${id}`, { key });
    expect(await jsonOf(ping)).toMatchObject({ success: false, status: 0, statusText: "connection failed" });
    expect(await internet.received()).toEqual([]);
  });

  it("of a verified domain or of links without an account belongs to the service", async () => {
    const own = createUrlGuard(variables(), "https://tern.test", (host) => Promise.resolve(host === "go.acme.dev"));
    expect(await checkHost(new URL("https://go.acme.dev./x"), own)).toBe("own");
    expect(await checkHost(new URL("https://go.example.net/x"), own)).toBe("own");
    expect(await checkHost(new URL("https://acme.dev/x"), own)).toBe("allowed");
  });
});

describe("WEBHOOK_ALLOWED_PRIVATE_HOSTS", () => {
  const local = guard("http://localhost:8787", "127.0.0.1, receiver.local");

  it("allows the listed hosts on a developer's machine, but not the service itself", async () => {
    expect(urlError("http://127.0.0.1:9000/", local)).toBeNull();
    expect(urlError("http://receiver.local/", local)).toBeNull();
    expect(await checkHost(new URL("http://receiver.local/"), local)).toBe("allowed");
    expect(urlError("http://127.0.0.1:8787/", local)).toBe(because("leads_back"));
    for (const url of ["http://10.0.0.1/", "http://127.0.0.2/", "http://localhost:9000/", "http://[::1]:9000/"])
      expect(urlError(url, local)).not.toBeNull();
  });

  it.each(["https://tern.test", "https://go.example", "http://10.0.0.5:8787", ""])(
    "has no effect on a service at %j and is not mentioned there",
    (baseUrl) => {
      const { code, example } = faultOf("http://127.0.0.1:9000/", guard(baseUrl, "127.0.0.1"));
      expect(code).toBe("private_host");
      expect(example).not.toContain("WEBHOOK_ALLOWED_PRIVATE_HOSTS");
    },
  );

  it.each([
    ["http://localhost:8787", "", true],
    ["", "on", true],
    // A request to a deployment can name any host.
    ["", "", false],
    ["https://tern.test", "on", false],
    ["http://go.localhost:8787", "on", false],
  ])("counts by the configuration alone (BASE_URL %j, WRANGLER_DEV %j)", (BASE_URL, WRANGLER_DEV, isAllowed) => {
    const configured = { ...env, BASE_URL, WRANGLER_DEV, WEBHOOK_ALLOWED_PRIVATE_HOSTS: "127.0.0.1" };
    for (const origin of [BASE_URL, "http://localhost", "http://127.0.0.1:8787", "https://go.example"])
      expect(urlError("http://127.0.0.1:9000/", guardOf(configured, origin)) === null, origin).toBe(isAllowed);
  });

  it("a deployment without BASE_URL refuses private hosts, whatever host a request names", async () => {
    const bindings = { BASE_URL: "", WEBHOOK_ALLOWED_PRIVATE_HOSTS: "127.0.0.1" };
    const body = { url: "http://127.0.0.1:3000/hooks", events: ["link.create"] };
    for (const origin of ["http://localhost", "http://127.0.0.1:8787", "https://go.example"]) {
      const response = await send(buildRequest("POST", `${origin}/api/webhooks`, { key, body }), bindings);
      expect([response.status, (await jsonOf<ErrorJson>(response)).details]).toMatchObject([
        400,
        [{ code: "private_host" }],
      ]);
    }
  });

  it("is mentioned in the error on a developer's machine", () => {
    for (const host of ["127.0.0.1", "localhost"]) {
      const { code, example } = faultOf(`http://${host}:3000/hooks`, guard("http://localhost:8787"));
      expect(code).toBe("private_host");
      expect(example).toContain(`tern listen --forward-to http://${host}:3000/hooks `);
      expect(example).toMatch(new RegExp(` --var WEBHOOK_ALLOWED_PRIVATE_HOSTS:${host}$`));
    }
  });
});
