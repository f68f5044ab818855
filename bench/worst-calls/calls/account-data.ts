import { setTimeout as sleep } from "node:timers/promises";
import { newId } from "../../../src/lib/uuid.ts";
import { NOW } from "../../instrumented/year.ts";
import type { FilledAccount } from "../account.ts";
import type { WorstCall } from "./call.ts";
import { personCall, toAsk, type PersonAsk } from "./person.ts";

// Exports of all data and deletion of the filled account, which is a team of the person.

const POLL_MS = 500;

/** What deletes the filled account. */
async function deletion({ server, accountId, person }: FilledAccount, path: string): Promise<PersonAsk> {
  const name = await server.db.prepare("SELECT name FROM accounts WHERE id = ?1").bind(accountId).first<string>("name");
  return { method: "DELETE", path, account: person.team, body: { confirm: name } };
}

/** A new team of the person. Each account has a limit of exports an hour. */
async function addTeam({ server, person }: FilledAccount): Promise<string> {
  const team = newId(NOW);
  const id = await server.db
    .prepare("INSERT INTO accounts (uuid, name, created_at) VALUES (?1, 'Exported', 0) RETURNING id")
    .bind(team)
    .first<number>("id");
  await server.db.prepare("INSERT INTO memberships VALUES (?1, ?2, 'owner', 0)").bind(id, person.userId).run();
  return team;
}

let finished: Promise<string> | null = null;

/** Returns the id of a finished export of the filled account. */
function exportOnce(account: FilledAccount): Promise<string> {
  finished ??= exportFilled(account);
  return finished;
}

async function exportFilled(account: FilledAccount): Promise<string> {
  const { team } = account.person;
  const path = "/api/account/exports";
  const started = await account.ask<{ export: { id: string } }>(
    toAsk(account, { method: "POST", path, account: team }),
  );
  const { id } = started.export;
  for (;;) {
    const read = toAsk(account, { method: "GET", path: `${path}/${id}`, account: team });
    const { status } = (await account.ask<{ export: { status: string } }>(read)).export;
    if (status === "done") return id;
    if (status === "failed") throw new Error("the export of the filled account failed");
    await sleep(POLL_MS);
  }
}

const getExport = async (account: FilledAccount, suffix: string): Promise<PersonAsk> => ({
  method: "GET",
  path: `/api/account/exports/${await exportOnce(account)}${suffix}`,
  account: account.person.team,
});

export const accountDataCalls = {
  "POST /api/account/exports": [
    personCall("the start, of an empty account; later work pauses between pages", async (account) => ({
      method: "POST",
      path: "/api/account/exports",
      account: await addTeam(account),
    })),
  ],
  "GET /api/account/exports/:id": [personCall("a finished export", (account) => getExport(account, ""))],
  "GET /api/account/exports/:id/file": [
    personCall("the file of the whole account", (account) => getExport(account, "/file")),
  ],
  "DELETE /api/account": [personCall("a team, with its mails", (account) => deletion(account, "/api/account"))],
  "DELETE /api/teams/:id": [
    personCall("a team, with its mails", (account) => deletion(account, `/api/teams/${account.person.team}`)),
  ],
  "POST /api/account/restore": [
    personCall("a team, with its mails", async ({ server, accountId, person }) => {
      await server.db.prepare("UPDATE accounts SET deleted_at = ?2 WHERE id = ?1").bind(accountId, NOW).run();
      return { method: "POST", path: "/api/account/restore", account: person.team };
    }),
  ],
} satisfies Record<string, WorstCall[]>;
