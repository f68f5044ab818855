import { beforeEach, describe, expect, it } from "vitest";
import type { Domain } from "../../src/domains/contract.ts";
import { jsonOf } from "../support/api.ts";
import { internet, type Service } from "../webhooks/support.ts";
import {
  addDomain,
  addVerified,
  DOMAIN,
  errorOf,
  oneOf,
  proofOf,
  publishProof,
  read,
  startDomains,
  verify,
  type Person,
} from "./support.ts";

// Ann owns the domain and Bob tries to take it.
let service: Service;
let ann: Person;
let bob: Person;
beforeEach(async () => ({ service, ann, bob } = await startDomains()));

describe("a verified domain stays with its owner", () => {
  let anns: Domain;
  beforeEach(async () => {
    anns = await addVerified(service, ann);
  });

  const expectUnchanged = async () => expect(await read(service, ann, anns)).toEqual(anns);

  it("if another account publishes a proof", async () => {
    const bobs = await addDomain(service, bob);
    await publishProof(anns, bobs);
    expect(await errorOf(await verify(service, bob, bobs))).toMatchObject({ status: 409, code: "conflict" });
    expect(await read(service, bob, bobs)).toMatchObject({ status: "pending", verifiedAt: null });
    await expectUnchanged();
  });

  it("if another account relies on the owner's TXT record", async () => {
    const bobs = await addDomain(service, bob);
    expect(await jsonOf(await verify(service, bob, bobs))).toMatchObject({ verified: false });
    await expectUnchanged();
  });

  it("if another account verifies the owner's resource", async () => {
    expect((await verify(service, bob, anns)).status).toBe(403);
    await expectUnchanged();
  });

  it("if another account publishes the token of another or of a deleted domain", async () => {
    const other = await addVerified(service, bob, "bob.dev");
    const first = await addDomain(service, bob);
    await service.call("DELETE", `/api/domains/${first.id}`, { key: bob.key });
    const bobs = await addDomain(service, bob);
    const texts = [other, first].map((domain) => `"${proofOf(domain).value}"`);
    await internet.records({ [`TXT ${proofOf(bobs).name}`]: texts });
    expect(await jsonOf(await verify(service, bob, bobs))).toMatchObject({ verified: false });
  });

  it("if another account writes the name differently", async () => {
    for (const name of ["GO.ACME.COM.", "ｇｏ.acme.com", "go。acme。com"]) {
      const bobs = await addDomain(service, bob, name);
      expect(bobs.domain).toBe(DOMAIN);
      await publishProof(anns, bobs);
      expect((await verify(service, bob, bobs)).status).toBe(409);
      await service.call("DELETE", `/api/domains/${bobs.id}`, { key: bob.key });
    }
    await expectUnchanged();
  });

  it("if another account adds a parent domain or a subdomain, which needs its own proof", async () => {
    for (const name of ["acme.com", "x.go.acme.com"]) {
      const bobs = await addDomain(service, bob, name);
      expect(await jsonOf(await verify(service, bob, bobs))).toMatchObject({ verified: false });
    }
    await expectUnchanged();
  });
});

it("a pending domain does not block other accounts", async () => {
  await addDomain(service, bob);
  expect(await addVerified(service, ann)).toMatchObject({ status: "verified" });
});

it("a deleted domain can be verified by another account and keeps none of its settings", async () => {
  const anns = await addVerified(service, ann);
  await service.call("PATCH", `/api/domains/${anns.id}`, { key: ann.key, body: { rootUrl: "https://acme.com/" } });
  const bobs = await addDomain(service, bob);
  await publishProof(anns, bobs);
  expect((await verify(service, bob, bobs)).status).toBe(409);
  await service.call("DELETE", `/api/domains/${anns.id}`, { key: ann.key });
  expect(await oneOf(await verify(service, bob, bobs))).toMatchObject({ status: "verified", rootUrl: null });
  // Ann's record still exists. She may add the domain again but cannot verify it.
  const again = await addDomain(service, ann);
  await publishProof(anns, bobs, again);
  expect((await verify(service, ann, again)).status).toBe(409);
});

it("adding a domain does not reveal whether another account has it", async () => {
  await addVerified(service, ann);
  const [taken, free] = [await addDomain(service, bob), await addDomain(service, bob, "free.acme.com")];
  expect(Object.keys(taken)).toEqual(Object.keys(free));
  expect(taken.records.map((record) => record.found)).toEqual(free.records.map((record) => record.found));
});
