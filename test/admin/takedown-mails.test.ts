import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { noteAccounts } from "#src/admin/hosts/store.ts";
import { findTakedown, type TakedownRow } from "#src/admin/store/takedowns.ts";
import { tellOfTakedown } from "#src/admin/tell-owners.ts";
import { stopClock } from "../people/factors.ts";
import { PEOPLE, signUp, takeMails } from "../people/support.ts";
import { jobContext } from "../support/api.ts";
import { internet } from "../webhooks/support.ts";
import { makeOperator, send, takeDown } from "./support.ts";

beforeEach(() => internet.reset());
afterEach(() => vi.useRealTimers());

it("tells nobody of a takedown that was reversed while its owners were being told", async () => {
  stopClock();
  const operator = await makeOperator();
  const ann = await signUp();
  await ann.browser.post("/api/links", { url: "https://example.com/" });
  const accountId = (await env.DB.prepare("SELECT account_id FROM links").first("account_id")) as number;
  const { id } = await takeDown(operator, { kind: "host", value: "evil.dev" });
  const takedown = (await findTakedown(env.DB, id)) as TakedownRow;
  await noteAccounts(env.DB, id, [accountId], Date.now());
  expect((await send(operator, "DELETE", `/api/admin/takedowns/${id}`)).status).toBe(200);
  await takeMails();
  await tellOfTakedown(jobContext(Date.now(), PEOPLE), accountId, takedown);
  const told = "SELECT count(*) FROM mails WHERE kind = 'taken_down'";
  expect(await env.DB.prepare(told).first("count(*)")).toBe(0);
  const due = "SELECT count(*) FROM takedown_accounts WHERE due_at IS NOT NULL";
  expect(await env.DB.prepare(due).first("count(*)")).toBe(0);
});
