import { beforeEach, describe, expect, it } from "vitest";
import { createUrlGuard, checkHost, urlError } from "../../../src/webhooks/delivery/url-guard.ts";
import { jsonOf, type ErrorJson } from "../../support/api.ts";
import { hostileUrls, publicUrls } from "./hostile-urls.ts";
import { internet, startService, type Service } from "../support.ts";

let service: Service;
let key: string;
beforeEach(async () => ({ service, key } = await startService()));

const RESOLVER = "https://resolver.dev/dns-query";

function guard(baseUrl = "https://tern.test", allowed = "") {
  return createUrlGuard({ DNS_OVER_HTTPS_URL: RESOLVER, WEBHOOK_ALLOWED_PRIVATE_HOSTS: allowed }, baseUrl, () =>
    Promise.resolve(false),
  );
}

async function refusal(fields: Record<string, unknown>): Promise<string> {
  const response = await service.call("POST", "/api/webhooks", { key, body: { events: ["link.create"], ...fields } });
  expect(response.status).toBe(400);
  return (await jsonOf<ErrorJson>(response)).error;
}

describe("forms of addresses", () => {
  it("refuses each of more than a thousand hostile URLs", () => {
    const urls = hostileUrls();
    expect(new Set(urls).size).toBeGreaterThan(1_000);
    expect(urls.filter((url) => urlError(url, guard()) === null)).toEqual([]);
  });

  it("takes public ones, also at the borders of what is refused", () => {
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
    "https://",
    "https://hooks.receiver.dev/\u0000",
    "https://hooks.receiver.dev /",
    "https:\\\\hooks.receiver.dev",
    "javascript:alert(1)",
    "https://hooks.receiver.dev:99999/",
    "https://[::g]/",
    "https://a..dev/",
    "\ud800",
  ])("refuses %j when it is created", async (url) => {
    await refusal({ url });
  });
});

describe("names", () => {
  it.each([
    ["private", ["192.168.0.1"]],
    ["loopback by IPv6", ["::1"]],
    ["an IPv4 address in an IPv6 one", ["::ffff:8.8.8.8"]],
    ["public and private", ["93.184.215.14", "169.254.169.254"]],
    ["no address at all", ["nonsense"]],
  ])("that lead to %s are refused", async (_, addresses) => {
    await internet.addresses({ "evil.receiver.dev": addresses });
    expect(await refusal({ url: "https://evil.receiver.dev/" })).toContain("must be on a public host");
    const { id } = await service.createWebhook(key);
    const body = { url: "https://evil.receiver.dev/" };
    expect((await service.call("PATCH", `/api/webhooks/${id}`, { key, body })).status).toBe(400);
  });

  it.each([
    ["unknown", []],
    ["not resolvable for now", "broken"],
  ])("that are %s are taken: they may come", async (_, addresses) => {
    await internet.addresses({ "new.receiver.dev": addresses });
    await service.createWebhook(key, { url: "https://new.receiver.dev/" });
  });

  it("that turn private after the creation reach nobody, not by a redirect either", async () => {
    await internet.addresses({ "flip.receiver.dev": [["93.184.215.14"], ["93.184.215.14"], ["127.0.0.1"]] });
    await internet.answers({ "turn.receiver.dev": { status: 307, headers: { Location: "http://127.0.0.1/canary" } } });
    await service.createWebhook(key, { url: "https://flip.receiver.dev/" });
    await internet.addresses({ "flip.receiver.dev": ["127.0.0.1"] });
    await service.createWebhook(key, { url: "https://turn.receiver.dev/" });
    await service.createLink(key);
    await service.deliver();
    expect((await internet.received()).map(({ url }) => url)).toEqual(["https://turn.receiver.dev/"]);
  });

  it("of verified domains are the service's own", async () => {
    const { DNS_OVER_HTTPS_URL, ...rest } = { DNS_OVER_HTTPS_URL: RESOLVER, WEBHOOK_ALLOWED_PRIVATE_HOSTS: "" };
    const own = createUrlGuard({ DNS_OVER_HTTPS_URL, ...rest }, "https://tern.test", (host) =>
      Promise.resolve(host === "go.acme.dev"),
    );
    expect(await checkHost(new URL("https://go.acme.dev./x"), own)).toBe("own");
    expect(await checkHost(new URL("https://acme.dev/x"), own)).toBe("allowed");
  });
});

describe("WEBHOOK_ALLOWED_PRIVATE_HOSTS", () => {
  const local = guard("http://localhost:8787", "127.0.0.1, receiver.local");

  it("lets the named hosts through on a developer's machine, but not the service itself", async () => {
    expect(urlError("http://127.0.0.1:9000/", local)).toBeNull();
    expect(urlError("http://receiver.local/", local)).toBeNull();
    expect(await checkHost(new URL("http://receiver.local/"), local)).toBe("allowed");
    expect(urlError("http://127.0.0.1:8787/", local)).toContain("back to this service");
    for (const url of ["http://10.0.0.1/", "http://127.0.0.2/", "http://localhost:9000/", "http://[::1]:9000/"])
      expect(urlError(url, local)).not.toBeNull();
  });

  it.each(["https://tern.test", "https://go.example", "http://10.0.0.5:8787", ""])(
    "has no effect on a service at %j, and is not named there",
    (baseUrl) => {
      const message = urlError("http://127.0.0.1:9000/", guard(baseUrl, "127.0.0.1"));
      expect(message).toContain("public host");
      expect(message).not.toContain("WEBHOOK_ALLOWED_PRIVATE_HOSTS");
    },
  );

  it("is named in the refusal where it would help", () => {
    expect(urlError("http://127.0.0.1:9000/", guard("http://localhost:8787"))).toContain(
      "WEBHOOK_ALLOWED_PRIVATE_HOSTS",
    );
  });
});
