import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { MINUTE_MS } from "#src/limits.ts";
import {
  MAX_OPEN_REPORTS,
  MAX_OPEN_REPORTS_OF_LINK,
  MAX_OPEN_REPORTS_OF_NETWORK,
  REPORTS_PER_CLIENT,
  UNRESERVED_OPEN_REPORTS,
} from "#src/safety/reports/form/limits.ts";
import { insertReport } from "#src/safety/reports/form/store.ts";
import { newId } from "#src/platform/lib/uuid.ts";
import { makeOperator } from "../../support.ts";
import { stopClock } from "../../../identity/people/factors.ts";
import { PEOPLE, takeMails } from "../../../identity/people/support.ts";
import { createAccount, createLink } from "../../../support/api.ts";
import { measureD1 } from "../../../support/d1-meter.ts";
import { internet } from "../../../webhooks/support.ts";
import { REPORT, sendForm } from "./support.ts";

// What strangers can do so that nobody else can report a link.

beforeEach(async () => {
  await internet.reset();
  stopClock();
  const { key } = await createAccount();
  for (const slug of ["bank", "other"]) await createLink(key, { slug });
});
afterEach(() => vi.useRealTimers());

const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));
const openReports = () => env.DB.prepare("SELECT count(*) AS n FROM reports WHERE decided_at IS NULL").first("n");

/** Stores open reports, each of a link and from a network. */
async function storeReports(reports: readonly (readonly [linkId: string, network: string])[]): Promise<void> {
  await env.DB.prepare(
    `INSERT INTO reports (id, link_id, domain, short_url, reason, network, created_at)
     SELECT 'report-' || key, value ->> 0, '', 'https://tern.test/x', 'spam', value ->> 1, 1 FROM json_each(?1)`,
  )
    .bind(JSON.stringify(reports))
    .run();
}

/** Reports of a link each, from a network each. */
const fill = (count: number) => storeReports(times(count, (n) => [`link-${n}`, `network-${n}`]));

const send = (slug: string, address?: string, bindings: Partial<Env> = {}) =>
  sendForm({ ...REPORT, url: `tern.test/${slug}` }, address === undefined ? {} : { address }, bindings);

const reportOf = (linkId: string, network: string) => ({
  id: newId(Date.now()),
  linkId,
  network,
  accountId: null,
  domain: "",
  shortUrl: "https://tern.test/x",
  reason: "spam" as const,
  details: null,
  name: null,
  email: null,
});

it.each([
  ["the same 100 links", (network: number, turn: number) => `link ${(network * 20 + turn) % 100}`],
  ["a link each", (network: number, turn: number) => `link ${network} ${turn}`],
])("a person can report a link after 1,100 reports of %s from 100 networks", async (_, linkOf) => {
  const turnOf = (turn: number) => times(100, (network) => [linkOf(network, turn), `network ${network}`] as const);
  await storeReports(times(9, turnOf).flat());
  for (const [linkId, network] of [9, 10].flatMap(turnOf))
    await insertReport(env.DB, reportOf(linkId, network), Date.now());
  expect(await openReports()).toBe(UNRESERVED_OPEN_REPORTS);
  expect((await send("bank")).status).toBe(303);
});

describe("a network has a share of the reports that wait", () => {
  it.each([
    ["an IPv4 /24", (host: number) => `192.0.2.${host}`],
    ["an IPv6 /48", (host: number) => `2001:db8:1:${host}::1`],
  ])("of which %s is one, and a further report keeps what was typed", async (_, addressOf) => {
    const { key } = await createAccount();
    for (let count = 0; count < MAX_OPEN_REPORTS_OF_NETWORK; count++) {
      const { slug } = await createLink(key);
      expect((await send(slug, addressOf(Math.floor(count / REPORTS_PER_CLIENT)))).status).toBe(303);
    }
    expect((await send("bank", addressOf(200))).status).toBe(429);
    vi.setSystemTime(Date.now() + MINUTE_MS);
    const refused = await send("bank", addressOf(200));
    const html = await refused.text();
    expect([refused.status, html]).toEqual([
      503,
      expect.stringContaining("Reports from your network are already waiting"),
    ]);
    expect(html).toContain("It asks for a password.</textarea>");
    expect(await openReports()).toBe(MAX_OPEN_REPORTS_OF_NETWORK);
    expect((await send("bank")).status).toBe(303);
  });

  it("of which two are of one link, so that nobody fills the room for reports of an own link", async () => {
    const statuses: number[] = [];
    for (let count = 0; count < MAX_OPEN_REPORTS_OF_LINK; count++)
      statuses.push((await send("bank", `192.0.2.${count}`)).status);
    expect(statuses).toEqual([303, 303, ...Array<number>(MAX_OPEN_REPORTS_OF_LINK - 2).fill(503)]);
    expect((await send("other", "192.0.2.99")).status).toBe(429);
    expect((await send("bank")).status).toBe(303);
  });

  it("that is free again after a decision, and then nothing of the network is stored", async () => {
    const address = "192.0.2.1";
    const location = (await send("bank", address)).headers.get("Location") ?? "";
    const { results } = await env.DB.prepare("SELECT network FROM reports").all<{ network: string }>();
    expect(results[0]?.network).toMatch(/^[\w+/]{43}=$/);
    const { browser } = await makeOperator();
    const path = `/api/admin/reports/${location.replace("/abuse/", "")}/decision`;
    expect((await browser.post(path, { action: "dismiss" })).status).toBe(200);
    expect(await env.DB.prepare("SELECT network FROM reports").first("network")).toBeNull();
  });
});

describe("half of the room is reserved", () => {
  it("for links and networks without an open report", async () => {
    await fill(UNRESERVED_OPEN_REPORTS);
    expect((await send("bank", "192.0.2.1")).status).toBe(303);
    const again = await send("bank");
    expect([again.status, await again.text()]).toEqual([
      200,
      expect.stringContaining("A decision about it is pending."),
    ]);
    expect((await send("other", "192.0.2.99")).status).toBe(503);
    expect((await send("other")).status).toBe(303);
    expect(await openReports()).toBe(UNRESERVED_OPEN_REPORTS + 2);
  });

  it("until all of it is used", async () => {
    await fill(MAX_OPEN_REPORTS);
    const refused = await send("bank");
    expect([refused.status, await refused.text()]).toEqual([503, expect.stringContaining("try again tomorrow")]);
  });

  it("which operators are told at once when it is reached, although another mail was sent before", async () => {
    const { email } = await makeOperator();
    await fill(UNRESERVED_OPEN_REPORTS - 2);
    const told = async () => (await takeMails()).map(({ to, subject }) => `${to}: ${subject}`);
    await takeMails();
    expect((await send("bank", undefined, PEOPLE)).status).toBe(303);
    expect(await told()).toEqual([`${email}: Reports wait for a decision`]);
    expect((await send("other", undefined, PEOPLE)).status).toBe(303);
    expect(await told()).toEqual([`${email}: Reports fill half of their room`]);
  });
});

it("writes three rows for a report, and reads each open report twice", async () => {
  const cost = async (linkId: string) => {
    const { roundTrips, rowsRead, rowsWritten } = await measureD1(() =>
      insertReport(env.DB, reportOf(linkId, linkId), Date.now()),
    );
    return { roundTrips, rowsRead, rowsWritten };
  };
  await cost("a");
  const before = await cost("b");
  await fill(100);
  const { rowsRead, ...rest } = await cost("c");
  expect({ ...rest, rowsRead: rowsRead - before.rowsRead }).toEqual({ roundTrips: 1, rowsWritten: 3, rowsRead: 202 });
});
