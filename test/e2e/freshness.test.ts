import { afterAll, beforeAll, expect, it } from "vitest";
import { createAccount, createLink, deleteLink, updateLink } from "./support/accounts.ts";
import { REDIRECT_READ } from "./support/database.ts";
import { startService, type Isolate, type Service } from "./support/service.ts";

// The promise (contract.ts): a change is visible at once in its isolate, and within 35 seconds everywhere.
const MEMORY_MS = 5_000;
const EVERYWHERE_MS = 35_000;

const OLD = "https://example.com/old";
const NEW = "https://example.com/new";

let service: Service<"here" | "near" | "far">;
let key: string;

beforeAll(async () => {
  service = await startService({ here: "one", near: "one", far: "two" });
  ({ key } = await createAccount(service.db));
});
afterAll(() => service.stop());

async function locationAt(isolate: Isolate, slug: string): Promise<string | undefined> {
  return (await isolate.get(`/${slug}`)).headers["location"];
}

/** Requests the link once a second of the isolate's clock: reading must not prolong freshness. */
async function keepRequesting(isolate: Isolate, slug: string, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 1_000) {
    await locationAt(isolate, slug);
    await isolate.advance(1_000);
  }
}

/** Creates a link and has every isolate and data centre cache it. */
async function linkSeenEverywhere(slug: string) {
  const link = await createLink(service.isolates.here, key, { url: OLD, slug });
  for (const isolate of Object.values(service.isolates)) {
    expect(await locationAt(isolate, slug)).toBe(OLD);
    await isolate.settled();
  }
  return link;
}

it("shows a change at once in the isolate where it was made", async () => {
  const { here } = service.isolates;
  const { id } = await linkSeenEverywhere("at-once");
  await updateLink(here, key, id, { url: NEW });
  expect(await locationAt(here, "at-once")).toBe(NEW);
  await deleteLink(here, key, id);
  expect((await here.get("/at-once")).status).toBe(404);
});

it("shows a change in its whole data centre after 5 seconds, however often the link is requested", async () => {
  const { here, near } = service.isolates;
  const { id } = await linkSeenEverywhere("in-the-data-centre");
  await updateLink(here, key, id, { url: NEW });
  await keepRequesting(near, "in-the-data-centre", MEMORY_MS);
  expect(await locationAt(near, "in-the-data-centre")).toBe(NEW);
});

it("shows a change in another data centre within 35 seconds, however often the link is requested", async () => {
  const { here, far } = service.isolates;
  const { id } = await linkSeenEverywhere("far-away");
  await updateLink(here, key, id, { url: NEW });
  let trips = 0;
  far.onDatabase = ({ moment }) => {
    if (moment === "before") trips++;
    return undefined;
  };
  await keepRequesting(far, "far-away", EVERYWHERE_MS);
  expect(await locationAt(far, "far-away")).toBe(NEW);
  far.onDatabase = undefined;
  // The caches responded: the test would prove nothing if every request had read the database.
  expect(trips).toBeLessThan(5);
});

it("does not find a deleted link in another data centre after 35 seconds", async () => {
  const { here, far } = service.isolates;
  const { id } = await linkSeenEverywhere("deleted");
  await deleteLink(here, key, id);
  await keepRequesting(far, "deleted", EVERYWHERE_MS);
  expect((await far.get("/deleted")).status).toBe(404);
});

it("shows a change to isolates without requests in between", async () => {
  const { here, near, far } = service.isolates;
  const { id } = await linkSeenEverywhere("quiet");
  await updateLink(here, key, id, { url: NEW });
  await near.advance(MEMORY_MS);
  await far.advance(EVERYWHERE_MS);
  expect(await locationAt(near, "quiet")).toBe(NEW);
  expect(await locationAt(far, "quiet")).toBe(NEW);
});

it("shows the new destination of a slug that was deleted and created again, in every isolate", async () => {
  const { here, near, far } = service.isolates;
  const { id } = await linkSeenEverywhere("made-again");
  await deleteLink(here, key, id);
  await createLink(here, key, { url: NEW, slug: "made-again" });
  expect(await locationAt(here, "made-again")).toBe(NEW);
  await near.advance(MEMORY_MS);
  expect(await locationAt(near, "made-again")).toBe(NEW);
  await keepRequesting(far, "made-again", EVERYWHERE_MS);
  expect(await locationAt(far, "made-again")).toBe(NEW);
});

it("shares a database read among the isolates of a data centre, so that a link in use is read about once in 30 seconds", async () => {
  const isolates = Object.values(service.isolates);
  await service.isolates.far.moveTo("one");
  await linkSeenEverywhere("shared");
  let reads = 0;
  for (const isolate of isolates)
    isolate.onDatabase = ({ moment, sql }) => {
      if (moment === "before" && REDIRECT_READ.test(sql.join(";"))) reads++;
      return undefined;
    };
  const seconds = 120;
  for (let passed = 0; passed < seconds; passed += 5) {
    for (const isolate of isolates) {
      await isolate.advance(5_000);
      await locationAt(isolate, "shared");
      await isolate.settled();
    }
  }
  for (const isolate of isolates) isolate.onDatabase = undefined;
  await service.isolates.far.moveTo("two");
  // The isolate that wrote the copy reads the link once more for itself.
  expect(reads).toBeLessThanOrEqual((2 * seconds) / 30);
});
