import { beforeEach, describe, expect, it } from "vitest";
import { because, readBecause } from "../../src/platform/http/faults.ts";
import { parseName } from "../../src/domains/name.ts";
import { isSpecialName } from "../../src/platform/lib/domain-names.ts";
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
    ["", "not_a_host_name"],
    [".", "not_a_host_name"],
    ["acme", "too_few_labels"],
    ["localhost", "special_name"],
    ["go.local", "special_name"],
    ["go.internal", "special_name"],
    ["go.acme.test", "special_name"],
    ["go.example", "special_name"],
    ["1.0.0.127.in-addr.arpa", "special_name"],
    ["192.0.2.1", "ip_address"],
    ["3221225985", "ip_address"],
    ["0x7f.1", "ip_address"],
    ["[::1]", "ip_address"],
    ["2001:db8::1", "ip_address"],
    ["go.acme.com:8080", "not_only_a_host", "go.acme.com"],
    ["https://go.acme.com:443/", "not_only_a_host", "go.acme.com"],
    ["https://Links.Acme.com/promo", "not_only_a_host", "links.acme.com"],
    ["go.acme.com//", "not_only_a_host", "go.acme.com"],
    ["ftp://links.acme.com", "not_only_a_host", "links.acme.com"],
    ["ann@acme.com", "not_only_a_host", "acme.com"],
    ["go.acme.com?x", "not_only_a_host", "go.acme.com"],
    ["https://https://", "not_only_a_host", undefined],
    ["https://192.0.2.1/", "ip_address"],
    ["https://[::1]/", "ip_address"],
    ["*.acme.com", "wildcard"],
    ["com", "too_few_labels"],
    ["co.uk", "public_suffix"],
    ["xn--55qx5d.cn", "public_suffix"],
    ["go..acme.com", "wrong_host_labels"],
    ["-go.acme.com", "wrong_host_labels"],
    ["go-.acme.com", "wrong_host_labels"],
    ["_dmarc.acme.com", "wrong_host_labels"],
    ["go acme.com", "not_a_host_name"],
    ["go%2eacme.com", "not_a_host_name"],
    ["go.acme.com\u0000", "not_a_host_name"],
    ["\ud800.acme.com", "not_a_host_name"],
    ["xn--a.acme.com", "not_a_host_name"],
    [`a${LONG}.acme.com`, "host_label_too_long"],
    [`${[LONG, LONG, LONG, "a".repeat(42)].join(".")}.com`, "host_too_long"],
  ])("%j", (text, code, suggestion?: string) => {
    const { fault = because("invalid") } = parseName(text);
    expect(readBecause("domain", fault)).toMatchObject(suggestion === undefined ? { code } : { code, suggestion });
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

  async function refusal(domain: string, baseUrl: string): Promise<string | undefined> {
    const body = { domain };
    const request = buildRequest("POST", `${baseUrl}/api/domains/add`, { key: ann.key, body });
    const answer = await errorOf(await send(request, { ...service.bindings, BASE_URL: baseUrl }));
    expect(answer.status).toBe(400);
    return answer.details?.[0]?.code;
  }

  it.each([
    ["go.tern.link", "own_host"],
    ["GO.TERN.LINK.", "own_host"],
    ["x.go.tern.link", "own_host"],
    ["tern.link", "above_own_host"],
    ["gо.tern.link", "like_own_host"],
    ["go.tеrn.link", "like_own_host"],
    ["go.térn.link", "like_own_host"],
    ["go.ternɑ.link".replace("ɑ", "\u0301"), "like_own_host"],
    [new URL("http://gо.tern.link").hostname, "like_own_host"],
    ["x.go.tеrn.link", "like_own_host"],
    ["tеrn.link", "like_own_host"],
    ["go.tern.lınk", "like_own_host"],
    ["go.tern.lιnk", "like_own_host"],
    ["g0.tern.link", "like_own_host"],
    ["go.tern.1ink", "like_own_host"],
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
