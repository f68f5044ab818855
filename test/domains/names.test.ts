import { beforeEach, describe, expect, it } from "vitest";
import { parseName } from "../../src/domains/name.ts";
import { isSpecialName } from "../../src/lib/domain-names.ts";
import { send, buildRequest } from "../support/api.ts";
import type { Service } from "../webhooks/support.ts";
import { errorOf, startDomains, type Person } from "./support.ts";

const LONG = "a".repeat(63);

describe("accepted names", () => {
  it.each([
    ["go.acme.com", "go.acme.com"],
    ["acme.com", "acme.com"],
    ["ACME.CO.UK", "acme.co.uk"],
    ["a-b.c1.acme.com.", "a-b.c1.acme.com"],
    ["ｇｏ。acme．com", "go.acme.com"],
    ["пример.рф", "xn--e1afmkfd.xn--p1ai"],
    ["straße.de", "xn--strae-oqa.de"],
    ["XN--BCHER-KVA.de", "xn--bcher-kva.de"],
    ["acme.github.io", "acme.github.io"],
    ["go.acme.newtld", "go.acme.newtld"],
    [`${LONG}.acme.com`, `${LONG}.acme.com`],
    ["https://go.acme.com/", "go.acme.com"],
    [" HTTP://Go.Acme.com ", "go.acme.com"],
    ["go.acme.com/", "go.acme.com"],
    ["https://straße.de/", "xn--strae-oqa.de"],
  ])("%s as %s", (text, domain) => {
    expect(parseName(text)).toEqual({ domain });
  });
});

describe("refused names", () => {
  it.each([
    ["", "not a valid"],
    [".", "not a valid"],
    ["acme", "two labels"],
    ["localhost", "no public host"],
    ["go.local", "no public host"],
    ["go.internal", "no public host"],
    ["go.acme.test", "no public host"],
    ["go.example", "no public host"],
    ["1.0.0.127.in-addr.arpa", "no public host"],
    ["192.0.2.1", "IP address"],
    ["3221225985", "IP address"],
    ["0x7f.1", "IP address"],
    ["[::1]", "IP address"],
    ["2001:db8::1", "IP address"],
    ["go.acme.com:8080", "must be only the name of a host: go.acme.com"],
    ["https://go.acme.com:443/", "must be only the name of a host: go.acme.com"],
    ["https://Links.Acme.com/promo", "must be only the name of a host: links.acme.com"],
    ["go.acme.com//", "must be only the name of a host: go.acme.com"],
    ["ftp://links.acme.com", "must be only the name of a host: links.acme.com"],
    ["ann@acme.com", "must be only the name of a host: acme.com"],
    ["go.acme.com?x", "must be only the name of a host: go.acme.com"],
    ["https://https://", "must be only the name of a host: go.acme.com"],
    ["https://192.0.2.1/", "IP address"],
    ["https://[::1]/", "IP address"],
    ["*.acme.com", "wildcards"],
    ["com", "two labels"],
    ["co.uk", "public suffix"],
    ["xn--55qx5d.cn", "public suffix"],
    ["go..acme.com", "with a dot between"],
    ["-go.acme.com", "hyphen"],
    ["go-.acme.com", "hyphen"],
    ["_dmarc.acme.com", "letters, digits and hyphens"],
    ["go acme.com", "not a valid"],
    ["go%2eacme.com", "not a valid"],
    ["go.acme.com\u0000", "not a valid"],
    ["\ud800.acme.com", "not a valid"],
    ["xn--a.acme.com", "not a valid"],
    [`a${LONG}.acme.com`, "63 characters"],
    [`${[LONG, LONG, LONG, "a".repeat(42)].join(".")}.com`, "characters"],
  ])("%j", (text, reason) => {
    expect(parseName(text).fault).toContain(reason);
  });

  it.each([[5], [null], [["go.acme.com"]], [{}], ["a".repeat(100_000)]])("%j as a value", async (domain) => {
    const { service, ann } = await startDomains();
    const response = await service.call("POST", "/api/domains/add", { key: ann.key, body: { domain } });
    expect([400, 413]).toContain(response.status);
  });
});

describe("the service's own host", () => {
  let service: Service;
  let ann: Person;
  beforeEach(async () => ({ service, ann } = await startDomains()));

  async function refusal(domain: string, baseUrl: string): Promise<string> {
    const body = { domain };
    const request = buildRequest("POST", `${baseUrl}/api/domains/add`, { key: ann.key, body });
    const answer = await errorOf(await send(request, { ...service.bindings, BASE_URL: baseUrl }));
    expect(answer.status).toBe(400);
    return answer.error;
  }

  it.each([
    ["go.tern.link", "own host"],
    ["GO.TERN.LINK.", "own host"],
    ["x.go.tern.link", "subdomain"],
    ["tern.link", "parent domain"],
    ["gо.tern.link", "looks like"],
    ["go.tеrn.link", "looks like"],
    ["go.térn.link", "looks like"],
    ["go.ternɑ.link".replace("ɑ", "\u0301"), "looks like"],
    [new URL("http://gо.tern.link").hostname, "looks like"],
    ["x.go.tеrn.link", "looks like"],
    ["tеrn.link", "looks like"],
    ["go.tern.lınk", "looks like"],
    ["go.tern.lιnk", "looks like"],
    ["g0.tern.link", "looks like"],
    ["go.tern.1ink", "looks like"],
  ])("cannot be imitated by %s", async (domain, reason) => {
    expect(await refusal(domain, "https://go.tern.link")).toContain(reason);
  });

  it.each(["links.tern.link", "tern.com", "förn.link", "go-tern.link", "xgo.tern.link"])(
    "does not block %s",
    async (domain) => {
      const body = { domain };
      const request = buildRequest("POST", "https://go.tern.link/api/domains/add", { key: ann.key, body });
      const bindings = { ...service.bindings, BASE_URL: "https://go.tern.link" };
      expect((await send(request, bindings)).status).toBe(201);
    },
  );
});

it("special names are recognised by their last label", () => {
  expect(["local", "a.local", "a.lan"].every(isSpecialName)).toBe(true);
  expect(["local.com", "notlocal", "a.com"].some(isSpecialName)).toBe(false);
});
