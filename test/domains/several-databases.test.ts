import { env } from "cloudflare:workers";
import { beforeEach, expect, it, vi } from "vitest";
import type { Domain } from "../../src/domains/contract.ts";
import type { OrphanVisits } from "../../src/domains/orphan-visits-contract.ts";
import {
  callForJson,
  callPlaced,
  createPlacedAccounts,
  entriesOf,
  runPlacedCron,
  type PlacedAccount,
} from "../support/several-databases.ts";
import { internet } from "../webhooks/support.ts";
import { DOMAIN, publishProof } from "./support.ts";

type Answer = { domain: Domain; link: { id: string }; orphanVisits: OrphanVisits; error: string; details?: unknown };

let accounts: [PlacedAccount, PlacedAccount, PlacedAccount];

beforeEach(async () => {
  await internet.reset();
  await internet.addresses({ "tern.test": ["198.51.100.7"] });
  accounts = await createPlacedAccounts();
});

function callBy(number: 0 | 1 | 2, method: string, path: string, body?: object) {
  return callForJson<Answer>(method, path, { key: accounts[number].key, body });
}

/** Adds the domain for an account of each database, with the proof of all of them. */
async function addDomains(): Promise<Domain[]> {
  const added: Domain[] = [];
  for (const number of [0, 1, 2] as const)
    added.push((await callBy(number, "POST", "/api/domains/add", { domain: DOMAIN })).json.domain);
  await publishProof(...added);
  return added;
}

const verify = (number: 0 | 1 | 2, { id }: Domain) => callBy(number, "POST", `/api/domains/${id}/verify`);

async function locationOf(url: string): Promise<string | null> {
  return (await callPlaced("GET", url)).headers.get("Location");
}

it("is verified by one of the accounts of three databases that verify it at the same time", async () => {
  const added = await addDomains();
  const verified = await Promise.all([0, 1, 2, 0, 1, 2].map((n) => verify(n as 0 | 1 | 2, added[n] as Domain)));
  const winners = [0, 1, 2].filter((n) => verified.some(({ status }, each) => each % 3 === n && status === 200));
  expect(winners).toHaveLength(1);
  const states = await Promise.all(
    added.map(async ({ id }, n) => (await callBy(n as 0 | 1 | 2, "GET", `/api/domains/${id}`)).json.domain.status),
  );
  expect(states.filter((status) => status === "verified")).toHaveLength(1);
  expect(states[winners[0] as number]).toBe("verified");
});

it("serves the links of its account, is no destination of others, and is free once it is deleted", async () => {
  const added = await addDomains();
  expect((await verify(1, added[1] as Domain)).status).toBe(200);
  expect(await entriesOf()).toEqual([DOMAIN]);
  const created = await callBy(1, "POST", "/api/links", { url: "https://example.com/one", domain: DOMAIN, slug: "x" });
  await callBy(1, "PATCH", `/api/domains/${added[1]?.id}`, { pathForwarding: true });
  expect(await locationOf(`https://${DOMAIN}/x/a`)).toBe("https://example.com/one/a");
  expect(created.status).toBe(201);
  expect(await locationOf(`https://${DOMAIN}/x`)).toBe("https://example.com/one");
  const loop = { url: `https://${DOMAIN}/x` };
  for (const number of [0, 2] as const) {
    expect((await callBy(number, "POST", "/api/links", loop)).status).toBe(400);
    const { json } = await callBy(number, "POST", "/api/links", { url: "https://example.com/" });
    expect((await callBy(number, "PATCH", `/api/links/${json.link.id}`, loop)).status).toBe(400);
    expect((await verify(number, added[number] as Domain)).status).toBe(409);
  }
  expect((await callBy(1, "DELETE", `/api/domains/${added[1]?.id}?force=true`)).status).toBe(200);
  expect(await locationOf(`https://${DOMAIN}/x`)).toBeNull();
  expect((await verify(2, added[2] as Domain)).status).toBe(200);
  await callBy(2, "POST", "/api/links", { url: "https://example.com/two", domain: DOMAIN, slug: "x" });
  expect(await locationOf(`https://${DOMAIN}/x`)).toBe("https://example.com/two");
});

it("stops with all links of its account when that is deleted, and works again when it is restored", async () => {
  await callBy(1, "POST", "/api/links", { url: "https://example.com/", slug: "spring" });
  const setDeleted = async (deletedAt: number | null) => {
    await env.DB.prepare("UPDATE accounts SET deleted_at = ?1 WHERE id = ?2")
      .bind(deletedAt, accounts[1].accountId)
      .run();
    await runPlacedCron(Date.now() + 60_000);
  };
  await setDeleted(Date.now());
  expect(await locationOf("/spring")).toBeNull();
  await setDeleted(null);
  expect(await locationOf("/spring")).toBe("https://example.com/");
});

it("counts visits of unknown paths for its account, until that has a link there", async () => {
  const added = await addDomains();
  expect((await verify(1, added[1] as Domain)).status).toBe(200);
  const path = `/api/domains/${added[1]?.id}/orphan-visits`;
  const pathsOf = async () =>
    (await callBy(1, "GET", path)).json.orphanVisits.paths.map(({ path: name, visits }) => [name, visits]);
  for (const name of ["sping", "sping", "autumn"])
    expect((await callPlaced("GET", `https://${DOMAIN}/${name}`, {}, { NOT_RECORDED: "" })).status).toBe(404);
  // They are counted after the responses.
  await vi.waitUntil(async () => (await pathsOf()).flat().filter(Number).length === 2, { timeout: 10_000 });
  expect(await pathsOf()).toEqual([
    ["sping", 2],
    ["autumn", 1],
  ]);
  await callBy(1, "POST", "/api/links", { url: "https://example.com/", domain: DOMAIN, slug: "sping" });
  expect(await pathsOf()).toEqual([["autumn", 1]]);
  for (const number of [0, 2] as const) expect((await callBy(number, "GET", path)).status).toBe(404);
});
