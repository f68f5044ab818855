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

/** Ann has the domain, Bob wants it. */
let service: Service;
let ann: Person;
let bob: Person;
beforeEach(async () => ({ service, ann, bob } = await startDomains()));

describe("what does not take a domain from its owner", () => {
  let anns: Domain;
  beforeEach(async () => {
    anns = await addVerified(service, ann);
  });

  const expectUnharmed = async () => expect(await read(service, ann, anns)).toEqual(anns);

  it("a proof of it while it is verified", async () => {
    const bobs = await addDomain(service, bob);
    await publishProof(anns, bobs);
    expect(await errorOf(await verify(service, bob, bobs))).toMatchObject({ status: 409, code: "conflict" });
    expect(await read(service, bob, bobs)).toMatchObject({ status: "pending", verifiedAt: null });
    await expectUnharmed();
  });

  it("the TXT record of the owner's token", async () => {
    const bobs = await addDomain(service, bob);
    expect(await jsonOf(await verify(service, bob, bobs))).toMatchObject({ verified: false });
    await expectUnharmed();
  });

  it("verifying the owner's entry", async () => {
    expect((await verify(service, bob, anns)).status).toBe(403);
    await expectUnharmed();
  });

  it("the token of another domain, or of an entry that was deleted", async () => {
    const other = await addVerified(service, bob, "bob.dev");
    const first = await addDomain(service, bob);
    await service.call("DELETE", `/api/domains/${first.id}`, { key: bob.key });
    const bobs = await addDomain(service, bob);
    const texts = [other, first].map((domain) => `"${proofOf(domain).value}"`);
    await internet.records({ [`TXT ${proofOf(bobs).name}`]: texts });
    expect(await jsonOf(await verify(service, bob, bobs))).toMatchObject({ verified: false });
  });

  it("another way to write it", async () => {
    for (const name of ["GO.ACME.COM.", "ｇｏ.acme.com", "go。acme。com"]) {
      const bobs = await addDomain(service, bob, name);
      expect(bobs.domain).toBe(DOMAIN);
      await publishProof(anns, bobs);
      expect((await verify(service, bob, bobs)).status).toBe(409);
      await service.call("DELETE", `/api/domains/${bobs.id}`, { key: bob.key });
    }
    await expectUnharmed();
  });

  it("a name above or below it, which is another domain with a proof of its own", async () => {
    for (const name of ["acme.com", "x.go.acme.com"]) {
      const bobs = await addDomain(service, bob, name);
      expect(await jsonOf(await verify(service, bob, bobs))).toMatchObject({ verified: false });
    }
    await expectUnharmed();
  });
});

it("a pending entry keeps nobody from proving the domain", async () => {
  await addDomain(service, bob);
  expect(await addVerified(service, ann)).toMatchObject({ status: "verified" });
});

it("a domain that its owner deleted is to be had by a proof, and nothing of the owner's comes with it", async () => {
  const anns = await addVerified(service, ann);
  await service.call("PATCH", `/api/domains/${anns.id}`, { key: ann.key, body: { rootUrl: "https://acme.com/" } });
  const bobs = await addDomain(service, bob);
  await publishProof(anns, bobs);
  expect((await verify(service, bob, bobs)).status).toBe(409);
  await service.call("DELETE", `/api/domains/${anns.id}`, { key: ann.key });
  expect(await oneOf(await verify(service, bob, bobs))).toMatchObject({ status: "verified", rootUrl: null });
  // Ann's record still stands; she may add the domain again, and must wait.
  const again = await addDomain(service, ann);
  await publishProof(anns, bobs, again);
  expect((await verify(service, ann, again)).status).toBe(409);
});

it("what is known of a domain elsewhere is not told to who only adds it", async () => {
  await addVerified(service, ann);
  const [taken, free] = [await addDomain(service, bob), await addDomain(service, bob, "free.acme.com")];
  expect(Object.keys(taken)).toEqual(Object.keys(free));
  expect(taken.records.map((record) => record.found)).toEqual(free.records.map((record) => record.found));
});
