import { beforeEach, expect, it } from "vitest";
import { rescreenLinks } from "../../src/admin/rescreen.ts";
import { MINUTE_MS } from "../../src/duration.ts";
import { unpackVerdict } from "../../src/safety/verdict.ts";
import { addEntries, screener, useScreening } from "../safety/screening.ts";
import { createLink, jobContext } from "../support/api.ts";
import { createPlacedAccounts, databases, useDatabases, type PlacedAccount } from "../support/several-databases.ts";
import { askForMove, flip } from "./support.ts";

useScreening();

let moved: PlacedAccount;
let of: { moved: string; staying: string };
let now: number;

beforeEach(async () => {
  useDatabases();
  const accounts = await createPlacedAccounts();
  moved = accounts[1];
  of = {
    moved: (await createLink(moved.key, { url: "https://evil.dev/" })).id,
    staying: (await createLink(accounts[0].key, { url: "https://evil.dev/" })).id,
  };
  await addEntries(["host evil.dev"]);
  now = Date.now() + MINUTE_MS;
});

/** Runs the cron's task. The databases with the numbers `failing` do not respond. */
function rescreen(...failing: number[]): Promise<number> {
  const broken = {
    prepare: () => {
      throw new Error("no response");
    },
  } as unknown as D1Database;
  const contextOf = (db: D1Database) => ({ ...jobContext(now), db });
  return rescreenLinks(databases().map((db, number) => contextOf(failing.includes(number) ? broken : db)));
}

async function stateIn(number: 0 | 1 | 2, id: string): Promise<string> {
  const found = databases()[number].prepare("SELECT verdict FROM links WHERE id = ?1").bind(id);
  return unpackVerdict((await found.first<number>("verdict")) ?? 0).state;
}

const dueAt = async (time: number) => (await screener().listDue(time, 10)).map(({ id }) => id);

it("screens links where their account is now, while its former rows are kept", async () => {
  await askForMove(moved.accountId, 2);
  await flip();
  expect(await rescreen()).toBe(2);
  expect([await stateIn(0, of.staying), await stateIn(2, of.moved)]).toEqual(["blocked", "blocked"]);
  expect(await stateIn(1, of.moved)).toBe("allowed");
  expect(await dueAt(now + MINUTE_MS)).toEqual([]);
});

it("screens links a minute later whose account accepts no writes, and all others now", async () => {
  const stop = databases()[1].prepare("INSERT INTO departing_accounts VALUES (?1, 'w', 0, 'run', NULL)");
  await stop.bind(moved.accountId).run();
  await rescreen();
  expect([await stateIn(0, of.staying), await stateIn(1, of.moved)]).toEqual(["blocked", "allowed"]);
  expect([await dueAt(now), await dueAt(now + MINUTE_MS)]).toEqual([[], [of.moved]]);
  await databases()[1].prepare("DELETE FROM departing_accounts").run();
  now += MINUTE_MS;
  await rescreen();
  expect(await stateIn(1, of.moved)).toBe("blocked");
});

it("screens links a minute later whose database fails, and all others now", async () => {
  await rescreen(1);
  expect([await stateIn(0, of.staying), await stateIn(1, of.moved)]).toEqual(["blocked", "allowed"]);
  expect([await dueAt(now), await dueAt(now + MINUTE_MS)]).toEqual([[], [of.moved]]);
  await expect(rescreen(0, 1, 2)).resolves.toBe(0);
  now += MINUTE_MS;
  await expect(rescreen(0, 1, 2)).rejects.toThrow("no response");
  expect(await dueAt(now)).toEqual([of.moved]);
});
