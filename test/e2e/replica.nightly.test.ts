import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { createAccount, createLink, deleteLink, updateLink } from "./support/accounts.ts";
import { lags } from "./support/database.ts";
import { startService, type Isolate, type Service } from "./support/service.ts";

// The nearest replica lags: it returns the state of some time ago.

const OLD = "https://example.com/old";
const NEW = "https://example.com/new";
/** After these steps, entries are no longer fresh in the memory cache, and then in either cache. */
const LATER_MS = [0, 6_000, 31_000, 31_000];

let service: Service<"here" | "near" | "far">;
let key: string;

beforeAll(async () => {
  service = await startService({ here: "one", near: "one", far: "two" });
  ({ key } = await createAccount(service.db));
});
afterEach(() => {
  for (const isolate of Object.values(service.isolates)) isolate.onDatabase = undefined;
});
afterAll(() => service.stop());

/** From now on, replicas return the link as it is now. */
async function freezeReplicas(slug: string): Promise<void> {
  const { results } = await service.db.prepare("SELECT * FROM links WHERE slug = ?1").bind(slug).all();
  for (const isolate of Object.values(service.isolates)) isolate.onDatabase = lags(results);
}

async function answersOf(isolate: Isolate, slug: string): Promise<(string | number)[]> {
  const answers: (string | number)[] = [];
  for (const ms of LATER_MS) {
    await isolate.advance(ms);
    const { status, headers } = await isolate.get(`/${slug}`);
    answers.push(headers["location"] ?? status);
    await isolate.settled();
  }
  return answers;
}

it("finds a new link that no replica has yet", async () => {
  const { here, near, far } = service.isolates;
  await freezeReplicas("brand-new");
  await createLink(here, key, { url: NEW, slug: "brand-new" });
  for (const isolate of [here, near, far]) {
    expect(await answersOf(isolate, "brand-new")).toEqual([NEW, NEW, NEW, NEW]);
  }
});

it("reads an unknown slug twice at most: at the replica and at the primary", async () => {
  const { near } = service.isolates;
  const trips: boolean[] = [];
  near.onDatabase = (call) => {
    if (call.moment === "before") trips.push(call.replica);
    return lags([])(call);
  };
  expect((await near.get("/on-no-replica")).status).toBe(404);
  expect(trips).toEqual([true, false]);
});

it("shows a change in its data centre although the replicas have the old destination", async () => {
  const { here, near } = service.isolates;
  const { id } = await createLink(here, key, { url: OLD, slug: "changed" });
  for (const isolate of [here, near]) await isolate.get("/changed");
  await freezeReplicas("changed");
  await updateLink(here, key, id, { url: NEW });
  expect(await answersOf(here, "changed")).toEqual([NEW, NEW, NEW, NEW]);
  expect((await answersOf(near, "changed")).slice(1)).toEqual([NEW, NEW, NEW]);
});

it("does not serve a deleted link again in its data centre although the replicas still have it", async () => {
  const { here, near } = service.isolates;
  const { id } = await createLink(here, key, { url: OLD, slug: "deleted" });
  for (const isolate of [here, near]) await isolate.get("/deleted");
  await freezeReplicas("deleted");
  await deleteLink(here, key, id);
  expect(await answersOf(here, "deleted")).toEqual([404, 404, 404, 404]);
  expect((await answersOf(near, "deleted")).slice(1)).toEqual([404, 404, 404]);
});

it("does not serve a moved link at its old slug although the replicas still have it there", async () => {
  const { here } = service.isolates;
  const { id } = await createLink(here, key, { url: OLD, slug: "moved" });
  await freezeReplicas("moved");
  await updateLink(here, key, id, { slug: "moved-away", aliases: [] });
  expect(await answersOf(here, "moved")).toEqual([404, 404, 404, 404]);
  expect(await answersOf(here, "moved-away")).toEqual([OLD, OLD, OLD, OLD]);
});

it("does not serve a link again in a data centre that has seen its deletion", async () => {
  const { here, far } = service.isolates;
  const { id } = await createLink(here, key, { url: OLD, slug: "seen-gone" });
  await far.get("/seen-gone");
  const { results } = await service.db.prepare("SELECT * FROM links WHERE slug = 'seen-gone'").all();
  await deleteLink(here, key, id);
  await far.advance(35_000);
  expect((await far.get("/seen-gone")).status).toBe(404);
  await far.settled();
  far.onDatabase = lags(results);
  expect(await answersOf(far, "seen-gone")).toEqual([404, 404, 404, 404]);
});

it("shows the new destination of a slug that was deleted and created again although the replicas have the old one", async () => {
  const { here, near } = service.isolates;
  const { id } = await createLink(here, key, { url: OLD, slug: "made-again" });
  for (const isolate of [here, near]) await isolate.get("/made-again");
  await freezeReplicas("made-again");
  await deleteLink(here, key, id);
  await createLink(here, key, { url: NEW, slug: "made-again" });
  expect(await answersOf(here, "made-again")).toEqual([NEW, NEW, NEW, NEW]);
  expect((await answersOf(near, "made-again")).slice(1)).toEqual([NEW, NEW, NEW]);
});

it("uses a visit of the link that has the slug now, not of the one on the replica", async () => {
  const { here, far } = service.isolates;
  const { id } = await createLink(here, key, { url: OLD, slug: "limited", maxClicks: 1 });
  await freezeReplicas("limited");
  await deleteLink(here, key, id);
  await createLink(here, key, { url: NEW, slug: "limited", maxClicks: 4 });
  expect(await answersOf(far, "limited")).toEqual([NEW, NEW, NEW, NEW]);
  expect((await far.get("/limited")).status).toBe(410);
});
