import { beforeEach, expect, it } from "vitest";
import { NEW_LINK_SETTLE_MS } from "../../src/destinations/limits.ts";
import { takeInLinks } from "../../src/destinations/store.ts";
import { moveNextAccount } from "../../src/account-move/move.ts";
import { createLink, jobContext } from "../support/api.ts";
import { interceptD1, statementsOf } from "../support/d1-client.ts";
import { createPlacedAccounts, databases, useDatabases, type PlacedAccount } from "../support/several-databases.ts";
import { askForMove, finishMove } from "./support.ts";

let accounts: [PlacedAccount, PlacedAccount, PlacedAccount];

beforeEach(async () => {
  useDatabases();
  accounts = await createPlacedAccounts();
});

/** Runs the part of the destination watch that takes in new links, at a time when none is too new. */
const takeIn = (number: 0 | 1 | 2) =>
  takeInLinks({ ...jobContext(Date.now() + NEW_LINK_SETTLE_MS + 1_000), db: databases()[number] });

async function watchedIn(number: 0 | 1 | 2): Promise<string[]> {
  const watched = databases()[number].prepare("SELECT link_id FROM destinations ORDER BY link_id");
  const { results } = await watched.all<{ link_id: string }>();
  return results.map(({ link_id }) => link_id);
}

/** Runs the move, which dies once the statement has been executed. */
const dieAfter = (part: string) =>
  interceptD1(
    async (sql, send) => {
      const result = await send();
      if (statementsOf(sql).some((each) => each.includes(part))) throw new Error("the isolate has died");
      return result;
    },
    () => expect(moveNextAccount(jobContext(Date.now()))).rejects.toThrow("has died"),
  );

it("watches links that the target has passed and the source had not taken in, and visits the others no second time", async () => {
  const [, { accountId, key }, other] = accounts;
  const known = await createLink(key);
  expect(await takeIn(1)).toBe(1);
  const late = await createLink(key);
  await createLink(other.key);
  expect(await takeIn(2)).toBe(1);
  await databases()[1].prepare("UPDATE destinations SET due_at = 7, is_queued = 0").run();
  await askForMove(accountId, 2);
  await dieAfter("INSERT INTO links (");
  // These pass over what is copied.
  await takeIn(2);
  const during = await createLink(key);
  await finishMove();
  expect(await takeIn(2)).toBe(2);
  expect(await watchedIn(2)).toEqual(expect.arrayContaining([known.id, late.id, during.id]));
  expect(await takeIn(2)).toBe(0);
  const kept = databases()[2].prepare("SELECT due_at FROM destinations WHERE link_id = ?1").bind(known.id);
  expect(await kept.first("due_at")).toBe(7);
});

it("does not set back the watch of the target to the last link of a source that has had none since", async () => {
  const [, { accountId, key }, other] = accounts;
  const { id } = await createLink(key);
  await takeIn(1);
  await createLink(other.key);
  await takeIn(2);
  const cursor = async () => databases()[2].prepare("SELECT CAST(seq AS TEXT) AS seq FROM destination_cursor").first();
  const before = await cursor();
  await askForMove(accountId, 2);
  await moveNextAccount(jobContext(Date.now() + NEW_LINK_SETTLE_MS + 1_000));
  await finishMove();
  expect(await cursor()).toEqual(before);
  expect(await watchedIn(2)).toContain(id);
});

it("watches links that were passed over while writes were stopped, also if the move is taken back", async () => {
  const { accountId, key } = accounts[1];
  const { id } = await createLink(key);
  await askForMove(accountId, 2);
  await dieAfter("UPDATE arriving_accounts SET position");
  await databases()[1].prepare("UPDATE departing_accounts SET stopped_by = 'dead'").run();
  await createLink(accounts[2].key);
  expect(await takeIn(1)).toBe(0);
  await databases()[0].prepare("UPDATE account_moves SET target = 1").run();
  await finishMove();
  expect(await takeIn(1)).toBe(1);
  expect(await watchedIn(1)).toEqual([id]);
});
