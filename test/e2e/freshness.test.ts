import { afterAll, beforeAll, expect, it } from "vitest";
import { createAccount, createLink, deleteLink, updateLink } from "./support/accounts.ts";
import { startService, type Isolate, type Service } from "./support/service.ts";

// The promise (contract.ts): a change is answered at once where it was made and within 35 seconds everywhere.
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

/** Visits once a second of the isolate's clock, so that whatever reading could prolong is prolonged. */
async function keepVisiting(isolate: Isolate, slug: string, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 1_000) {
    await locationAt(isolate, slug);
    await isolate.advance(1_000);
  }
}

/** A link that every isolate has in memory, and its data centre in the cache. */
async function linkSeenEverywhere(slug: string) {
  const link = await createLink(service.isolates.here, key, { url: OLD, slug });
  for (const isolate of Object.values(service.isolates)) {
    expect(await locationAt(isolate, slug)).toBe(OLD);
    await isolate.settled();
  }
  return link;
}

it("answers with a change at once where it was made", async () => {
  const { here } = service.isolates;
  const { id } = await linkSeenEverywhere("at-once");
  await updateLink(here, key, id, { url: NEW });
  expect(await locationAt(here, "at-once")).toBe(NEW);
  await deleteLink(here, key, id);
  expect((await here.get("/at-once")).status).toBe(404);
});

it("answers with a change in the whole data centre once memories are too old, however often the link is visited", async () => {
  const { here, near } = service.isolates;
  const { id } = await linkSeenEverywhere("in-the-data-centre");
  await updateLink(here, key, id, { url: NEW });
  await keepVisiting(near, "in-the-data-centre", MEMORY_MS);
  expect(await locationAt(near, "in-the-data-centre")).toBe(NEW);
});

it("answers with a change in another data centre within 35 seconds, however often the link is visited", async () => {
  const { here, far } = service.isolates;
  const { id } = await linkSeenEverywhere("far-away");
  await updateLink(here, key, id, { url: NEW });
  let trips = 0;
  far.onDatabase = ({ moment }) => {
    if (moment === "before") trips++;
    return undefined;
  };
  await keepVisiting(far, "far-away", EVERYWHERE_MS);
  expect(await locationAt(far, "far-away")).toBe(NEW);
  far.onDatabase = undefined;
  // It was memory and cache that answered: the test would prove nothing if every visit had asked the database.
  expect(trips).toBeLessThan(5);
});

it("no longer follows a deleted link in another data centre after 35 seconds", async () => {
  const { here, far } = service.isolates;
  const { id } = await linkSeenEverywhere("deleted");
  await deleteLink(here, key, id);
  await keepVisiting(far, "deleted", EVERYWHERE_MS);
  expect((await far.get("/deleted")).status).toBe(404);
});

it("finds a change also where nobody visited for a while", async () => {
  const { here, near, far } = service.isolates;
  const { id } = await linkSeenEverywhere("quiet");
  await updateLink(here, key, id, { url: NEW });
  await near.advance(MEMORY_MS);
  await far.advance(EVERYWHERE_MS);
  expect(await locationAt(near, "quiet")).toBe(NEW);
  expect(await locationAt(far, "quiet")).toBe(NEW);
});

it("shows the new target of a slug that was deleted and made again, in every isolate", async () => {
  const { here, near, far } = service.isolates;
  const { id } = await linkSeenEverywhere("made-again");
  await deleteLink(here, key, id);
  await createLink(here, key, { url: NEW, slug: "made-again" });
  expect(await locationAt(here, "made-again")).toBe(NEW);
  await near.advance(MEMORY_MS);
  expect(await locationAt(near, "made-again")).toBe(NEW);
  await keepVisiting(far, "made-again", EVERYWHERE_MS);
  expect(await locationAt(far, "made-again")).toBe(NEW);
});
