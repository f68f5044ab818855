import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { createAccount, createLink, deleteLink, updateLink } from "./support/accounts.ts";
import { lags } from "./support/database.ts";
import { startService, type Isolate, type Service } from "./support/service.ts";

// Reads that the nearest replica may answer are answered from the state of some time ago.

const OLD = "https://example.com/old";
const NEW = "https://example.com/new";
/** Memory and cache have both forgotten after each of these steps. */
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

/** What the replicas know from now on: the link as it is now. */
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

it("finds a link that was created a moment ago and is on no replica yet", async () => {
  const { here, near, far } = service.isolates;
  await freezeReplicas("brand-new");
  await createLink(here, key, { url: NEW, slug: "brand-new" });
  for (const isolate of [here, near, far]) {
    expect(await answersOf(isolate, "brand-new")).toEqual([NEW, NEW, NEW, NEW]);
  }
});

it("finds an unknown slug nowhere, and asks for it twice at most", async () => {
  const { near } = service.isolates;
  const trips: boolean[] = [];
  near.onDatabase = (call) => {
    if (call.moment === "before") trips.push(call.replica);
    return lags([])(call);
  };
  expect((await near.get("/on-no-replica")).status).toBe(404);
  expect(trips).toEqual([true, false]);
});

it("shows a change in its data centre although the replicas have the old target", async () => {
  const { here, near } = service.isolates;
  const { id } = await createLink(here, key, { url: OLD, slug: "changed" });
  for (const isolate of [here, near]) await isolate.get("/changed");
  await freezeReplicas("changed");
  await updateLink(here, key, id, { url: NEW });
  expect(await answersOf(here, "changed")).toEqual([NEW, NEW, NEW, NEW]);
  expect((await answersOf(near, "changed")).slice(1)).toEqual([NEW, NEW, NEW]);
});

it("does not follow a deleted link again in its data centre although the replicas still have it", async () => {
  const { here, near } = service.isolates;
  const { id } = await createLink(here, key, { url: OLD, slug: "deleted" });
  for (const isolate of [here, near]) await isolate.get("/deleted");
  await freezeReplicas("deleted");
  await deleteLink(here, key, id);
  expect(await answersOf(here, "deleted")).toEqual([404, 404, 404, 404]);
  expect((await answersOf(near, "deleted")).slice(1)).toEqual([404, 404, 404]);
});

it("does not follow a moved link at its old slug although the replicas still have it there", async () => {
  const { here } = service.isolates;
  const { id } = await createLink(here, key, { url: OLD, slug: "moved" });
  await freezeReplicas("moved");
  await updateLink(here, key, id, { slug: "moved-away" });
  expect(await answersOf(here, "moved")).toEqual([404, 404, 404, 404]);
  expect(await answersOf(here, "moved-away")).toEqual([OLD, OLD, OLD, OLD]);
});

it("does not bring back a link that another data centre has seen to be gone", async () => {
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

it("shows the new target of a slug that was deleted and made again although the replicas have the old one", async () => {
  const { here, near } = service.isolates;
  const { id } = await createLink(here, key, { url: OLD, slug: "made-again" });
  for (const isolate of [here, near]) await isolate.get("/made-again");
  await freezeReplicas("made-again");
  await deleteLink(here, key, id);
  await createLink(here, key, { url: NEW, slug: "made-again" });
  expect(await answersOf(here, "made-again")).toEqual([NEW, NEW, NEW, NEW]);
  expect((await answersOf(near, "made-again")).slice(1)).toEqual([NEW, NEW, NEW]);
});

it("takes the visit of the link that has the slug now, not of the one on the replica", async () => {
  const { here, far } = service.isolates;
  const { id } = await createLink(here, key, { url: OLD, slug: "limited", maxClicks: 1 });
  await freezeReplicas("limited");
  await deleteLink(here, key, id);
  await createLink(here, key, { url: NEW, slug: "limited", maxClicks: 4 });
  expect(await answersOf(far, "limited")).toEqual([NEW, NEW, NEW, NEW]);
  expect((await far.get("/limited")).status).toBe(410);
});
