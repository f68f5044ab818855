import { beforeEach, expect, it } from "vitest";
import { moveNextAccount } from "../../src/account-move/move.ts";
import { sweepHosts } from "../../src/admin/hosts/sweep.ts";
import { createAccount, createLink, jobContext } from "../support/api.ts";
import { interceptD1, statementsOf } from "../support/d1-client.ts";
import { createPlacedAccounts, databases, useDatabases, type PlacedAccount } from "../support/several-databases.ts";
import { askForMove, finishMove, flip } from "./support.ts";

const BAD = "https://evil.dev/";

let moved: PlacedAccount;
let staying: string;
let of: { moved: string; staying: string };

beforeEach(async () => {
  useDatabases();
  [, moved] = await createPlacedAccounts();
  await createAccount();
  staying = (await createAccount()).key;
  of = {
    staying: (await createLink(staying, { url: BAD })).id,
    moved: (await createLink(moved.key, { url: BAD })).id,
  };
});

async function takeDownHost(): Promise<void> {
  for (const db of databases())
    await db
      .prepare(
        `INSERT INTO takedowns (id, kind, target, shown, imposed, created_at, created_by)
         VALUES ('t', 'host', 'evil.dev', 'evil.dev', 1, 1, 'u')`,
      )
      .run();
}

const sweep = (number: 1 | 2) => sweepHosts({ ...jobContext(Date.now()), db: databases()[number] });

async function markedIn(number: 1 | 2): Promise<string[]> {
  const marked = databases()[number].prepare("SELECT id FROM links WHERE host_takedowns IS NOT NULL ORDER BY id");
  return (await marked.all<{ id: string }>()).results.map(({ id }) => id);
}

const sweepsIn = (number: 1 | 2) => databases()[number].prepare("SELECT count(*) AS n FROM host_sweeps").first("n");

it("marks the links of others while the former rows of an account that has moved are kept", async () => {
  await askForMove(moved.accountId, 2);
  await flip();
  await takeDownHost();
  expect([await sweep(1), await sweep(2)]).toEqual([1, 1]);
  expect([await markedIn(1), await markedIn(2)]).toEqual([[of.staying], [of.moved]]);
  await finishMove();
  await sweep(1);
  expect(await sweepsIn(1)).toBe(0);
});

it("marks the links of an account whose writes were stopped once its move is taken back", async () => {
  await askForMove(moved.accountId, 2);
  const dying = interceptD1(
    async (sql, send) => {
      const result = await send();
      if (statementsOf(sql).some((each) => each.includes("SET is_complete = 1")))
        throw new Error("the isolate has died");
      return result;
    },
    () => expect(moveNextAccount(jobContext(Date.now()))).rejects.toThrow("has died"),
  );
  await dying;
  await takeDownHost();
  await sweep(1);
  expect(await markedIn(1)).toEqual([of.staying]);
  await databases()[0].prepare("UPDATE account_moves SET target = 1").run();
  await finishMove();
  await sweep(1);
  expect(await markedIn(1)).toEqual([of.staying, of.moved].toSorted());
  expect(await sweepsIn(1)).toBe(0);
});
