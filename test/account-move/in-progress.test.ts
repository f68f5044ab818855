import { beforeEach, expect, it } from "vitest";
import type { Link } from "../../src/links/contract.ts";
import type { Webhook } from "../../src/webhooks/contract.ts";
import { dispatchDueWebhooks } from "../../src/webhooks/delivery/dispatch-due.ts";
import { Client, linksOf } from "../listeners/support.ts";
import { jobContext, jsonOf } from "../support/api.ts";
import { createPlacedAccounts, databases, useDatabases, type PlacedAccount } from "../support/several-databases.ts";
import { internet, Service } from "../webhooks/support.ts";
import { askForMove, finishMove, flip } from "./support.ts";

let account: PlacedAccount;
let service: Service;

beforeEach(async () => {
  useDatabases();
  [, account] = await createPlacedAccounts();
  await internet.reset();
  service = new Service();
});

const create = async () => {
  const body = { url: "https://example.com/" };
  return (await jsonOf<{ link: Link }>(await service.call("POST", "/api/links", { key: account.key, body }))).link;
};

const statesIn = async (number: 1 | 2) => {
  const { results } = await databases()[number].prepare("SELECT status FROM deliveries ORDER BY event_id").all();
  return results.map(({ status }) => status);
};

it("delivers an event of the former database once, from the new one", async () => {
  const { key, accountId } = account;
  await internet.answers({ "example.com/hook": [{ status: 500 }, { status: 200 }] });
  const body = { url: "https://example.com/hook", events: ["link.create"] };
  const { webhook } = await jsonOf<{ webhook: Webhook }>(await service.call("POST", "/api/webhooks", { key, body }));
  await create();
  expect([await statesIn(1), (await internet.received()).length]).toEqual([["pending"], 1]);
  await databases()[1].batch([
    databases()[1].prepare("UPDATE deliveries SET due_at = 1"),
    databases()[1].prepare("UPDATE webhooks SET resume_at = NULL"),
  ]);
  await askForMove(accountId, 2);
  await flip();
  expect([await statesIn(1), await statesIn(2)]).toEqual([["pending"], ["pending"]]);
  // A message that was sent before the move, another by the cron for the former rows, and all of them twice.
  for (const db of databases()) await dispatchDueWebhooks({ ...jobContext(Date.now(), service.bindings), db });
  const wakeUp = { kind: "wake_up", webhookId: webhook.id, database: 1 };
  const sent = [
    ...service.messages.splice(0).map((message) => message.body),
    wakeUp,
  ] as (typeof service.messages)[0]["body"][];
  for (const body of [...sent, ...sent]) await service.consume([{ body, attempts: 1 }]);
  await service.deliver();
  expect([await statesIn(1), await statesIn(2)]).toEqual([["pending"], ["delivered"]]);
  await finishMove();
  expect([await statesIn(1), await statesIn(2)]).toEqual([[], ["delivered"]]);
  const ids = (await internet.received()).map(({ headers }) => headers["webhook-id"]);
  expect(ids).toEqual([ids[0], ids[0]]);
});

it("gives a listener each event once, before and after the move", async () => {
  const client = new Client(service, account.key);
  const { id } = await client.create();
  const before = await create();
  const late = service.messages.splice(0);
  await askForMove(account.accountId, 2);
  await flip();
  const after = await create();
  for (const { body } of late) await service.consume([{ body, attempts: 1 }]);
  const poll = await client.deliverAndPoll(id);
  expect(linksOf(poll).toSorted()).toEqual([before.id, after.id].toSorted());
  await finishMove();
  expect((await client.deliverAndPoll(id, `?after=${poll.next}`)).events).toEqual([]);
});
