import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAccount, createLink, deleteLink, updateLink } from "./support/accounts.ts";
import { holds, REDIRECT_READ } from "./support/database.ts";
import { startService, type Service } from "./support/service.ts";

// A visit reads the old row from the database, and the link changes before the row arrives. This visit may still get the
// old destination. Later visits must not.

const OLD = "https://example.com/old";
const NEW = "https://example.com/new";
const LATER_MS = [0, 1_000, 5_000, 25_000, 5_000, 60_000];

let service: Service<"here" | "near">;
let key: string;

beforeAll(async () => {
  service = await startService({ here: "one", near: "one" });
  ({ key } = await createAccount(service.db));
});
afterAll(() => service.stop());

type Change = "destination" | "deletion" | "slug";

async function change(what: Change, id: string, slug: string): Promise<void> {
  const { here } = service.isolates;
  if (what === "destination") await updateLink(here, key, id, { url: NEW });
  if (what === "deletion") await deleteLink(here, key, id);
  if (what === "slug") await updateLink(here, key, id, { slug: `${slug}-moved`, aliases: [] });
}

async function expectNoOldDestination(slug: string): Promise<void> {
  for (const ms of LATER_MS) {
    for (const isolate of Object.values(service.isolates)) {
      await isolate.advance(ms);
      const answer = await isolate.get(`/${slug}`);
      expect([302, 404]).toContain(answer.status);
      expect(answer.headers["location"]).not.toBe(OLD);
      await isolate.settled();
    }
  }
}

describe.each(["here", "near"] as const)("a late cache fill in the isolate '%s'", (filling) => {
  it.each<[Change, boolean]>([
    ["destination", false],
    ["destination", true],
    ["deletion", false],
    ["deletion", true],
    ["slug", false],
    ["slug", true],
  ])("does not restore the old destination after a change of the %s (visited meanwhile: %s)", async (what, visited) => {
    const { here } = service.isolates;
    const late = service.isolates[filling];
    const slug = `late-${filling}-${what}-${visited}`;
    const { id } = await createLink(here, key, { url: OLD, slug });

    const hold = holds("after", REDIRECT_READ, 1);
    late.onDatabase = hold.hook;
    const pending = late.get(`/${slug}`);
    await hold.held;
    await change(what, id, slug);
    if (visited) for (const isolate of Object.values(service.isolates)) await isolate.get(`/${slug}`);
    hold.release();
    expect([OLD, NEW]).toContain((await pending).headers["location"]);
    await late.settled();
    late.onDatabase = undefined;

    await expectNoOldDestination(slug);
    if (what === "slug") expect((await here.get(`/${slug}-moved`)).headers["location"]).toBe(OLD);
  });
});

it("serves the newest of several concurrent changes of two isolates", async () => {
  const { here, near } = service.isolates;
  const { id } = await createLink(here, key, { url: OLD, slug: "several" });
  await Promise.all([1, 2, 3, 4].map((n) => updateLink(n % 2 ? here : near, key, id, { url: `${NEW}/${n}` })));
  const stored = await service.db.prepare("SELECT url FROM links WHERE slug = 'several'").first<string>("url");
  // The isolates write their copies to the cache they share in any order, and check them afterwards.
  await Promise.all([here.settled(), near.settled()]);
  for (const isolate of [here, near]) {
    await isolate.advance(5_000);
    expect((await isolate.get("/several")).headers["location"]).toBe(stored);
  }
});
