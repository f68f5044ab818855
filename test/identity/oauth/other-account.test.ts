import { beforeEach, expect, it, vi } from "vitest";
import { freshAddress } from "../../support/address.ts";
import { BASE_URL, call, createAccount, jsonOf } from "../../support/api.ts";
import { insertDomain } from "../../support/domains.ts";
import type { Job } from "../../../src/links/tags/job-contract.ts";
import { finish } from "../../links/bulk-jobs/support.ts";
import { exportFile } from "../../moving/exports/file-support.ts";
import { csvOf, prepare } from "../../moving/imports/support.ts";
import { internet } from "../../webhooks/support.ts";
import { readOperations, SOME_ID, type Operation } from "../people/operations.ts";
import { connect, renewGrantId } from "./support.ts";

beforeEach(() => internet.reset());

/** One of everything that has an id, by the beginnings of the paths that name it, and the paths that show it. */
async function fillAccount(): Promise<{ ids: [path: string, id: string][]; read: () => Promise<unknown[]> }> {
  const { accountId, key } = await createAccount();
  const made = async (path: string, body: object, method = "POST") => {
    const response = await call(method, path, { key, body });
    const json = await jsonOf<Record<string, { id: string }>>(response);
    const [{ id } = { id: "" }] = Object.values(json);
    if (!response.ok || id === undefined) throw new Error(`${path}: ${response.status} ${JSON.stringify(json)}`);
    return id;
  };
  const domain = await insertDomain(accountId, "go.acme.com");
  const link = await made("/api/links", { url: "https://example.com/", title: "Theirs", tags: ["theirs"] });
  const events = ["link.create"];
  const webhook = await made("/api/webhooks", { url: "https://hooks.acme.com/", events });
  const bulk = await made("/api/bulk", { ids: [link], changes: { title: "Theirs too" } });
  await finish(key, bulk);
  const renaming = await made("/api/tags/theirs", { name: "Theirs too" }, "PATCH");
  await vi.waitUntil(
    async () => {
      const { job } = await jsonOf<{ job: Job }>(await call("GET", `/api/jobs/${renaming}`, { key }));
      return job.finishedAt !== null;
    },
    { timeout: 20_000 },
  );
  const ids: [string, string][] = [
    ["/api/domains/", domain],
    ["/api/deep-links/domains/", domain],
    ["/api/links/", link],
    ["/api/deep-links/links/", link],
    ["/api/webhooks/", webhook],
    ["/api/listeners/", await made("/api/listeners", { events })],
    ["/api/notes/", await made("/api/notes", { at: "2026-01-01", text: "Theirs" })],
    ["/api/shared-pages/", await made("/api/shared-pages", { linkId: link })],
    ["/api/utm-templates/", await made("/api/utm-templates", { name: "Theirs", utm: { source: "x" } })],
    ["/api/bulk/", bulk],
    ["/api/jobs/", renaming],
    ["/api/exports/", (await exportFile({ key }, { kind: "links" })).state.id],
    ["/api/imports/", (await prepare(key, csvOf(["url"], ["https://example.com/"]))).id],
    ["/api/keys/", await made("/api/keys", { name: "Theirs" })],
  ];
  const lists = ["domains", "links", "webhooks", "listeners", "notes", "shared-pages", "utm-templates", "bulk"];
  const paths = [...lists, "exports", "imports", "keys", "tags", "usage"];
  const read = () =>
    Promise.all(
      paths.map(async (path) => (await call("GET", `/api/${path}`, { key, address: freshAddress() })).json()),
    );
  return { ids, read };
}

/** What a change would be, where an empty body is none. */
const BODIES: Record<string, unknown> = {
  "PATCH /api/links/:id": { title: "Mine" },
  "PATCH /api/domains/:id": { rootUrl: "https://example.com/mine" },
  "PUT /api/domains/:id/qr-style": { qrStyle: { foreground: "#112233" } },
  "PATCH /api/deep-links/links/:id": { ios: null },
  "PATCH /api/deep-links/domains/:id": { appleAppSiteAssociation: null },
  "PATCH /api/webhooks/:id": { url: "https://hooks.acme.com/mine" },
  "POST /api/webhooks/:id/deliveries/retry": { since: 0 },
  "PATCH /api/notes/:id": { text: "Mine" },
  "PATCH /api/shared-pages/:id": { title: "Mine", showDestination: true },
  "PATCH /api/utm-templates/:id": { name: "Mine" },
  "PATCH /api/imports/:id": { mapping: {} },
};

/** Their path has no id, but a name that each account has for itself. */
const isOfName = ({ name }: Operation) => name.includes("/:tag") || name.includes("/:slug");

it("an access token neither reads nor changes anything of another account", async () => {
  const { ids, read } = await fillAccount();
  const before = await read();
  const { access } = await connect({ asked: { parameters: { resource: `${BASE_URL}/api` } } });
  const withId = readOperations().filter((each) => each.acceptsKeys && each.path.includes(SOME_ID) && !isOfName(each));
  expect(withId.length).toBeGreaterThan(40);
  await renewGrantId();
  const wrong: string[] = [];
  for (const [index, { method, name, path }] of withId.entries()) {
    if (index % 25 === 0) await renewGrantId();
    const [, id] = ids.find(([beginning]) => path.startsWith(beginning)) ?? [];
    expect([name, id]).toEqual([name, expect.any(String)]);
    const hasBody = method !== "GET" && method !== "DELETE";
    const response = await call(method, path.replaceAll(SOME_ID, id ?? ""), {
      key: access,
      address: freshAddress(),
      body: hasBody ? (BODIES[name] ?? {}) : undefined,
    });
    const text = await response.text();
    const isRefused = response.status === 403 || response.status === 404;
    if (!isRefused || /Theirs|example\.com|acme\.com|share_|whsec_/.test(text))
      wrong.push(`${name} ${response.status} ${text}`);
  }
  expect(wrong).toEqual([]);
  expect(await read()).toEqual(before);
});
