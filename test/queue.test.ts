import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import worker from "../src/index.ts";
import { createAccount, createLink } from "./support/api.ts";
import { clickOn, logOf, messageOf } from "./support/clicks.ts";

it("delivers messages of an unknown kind again, and processes the others", async () => {
  const { accountId, key } = await createAccount();
  const { id } = await createLink(key);
  const lines = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const bodies = [null, "text", { kind: "unknown" }, { webhookId: "1" }, messageOf([clickOn(id, accountId)])];
  const messages = bodies.map((body, index) => ({ id: String(index), timestamp: new Date(), attempts: 1, body }));
  const batch = createMessageBatch<never>("renamed", messages as never);
  const context = createExecutionContext();
  await worker.queue(batch, env, context);
  const { retryMessages } = await getQueueResult(batch, context);
  expect(retryMessages.map(({ msgId }) => msgId)).toEqual(["0", "1", "2", "3"]);
  expect(lines).toHaveBeenCalledTimes(4);
  expect(await logOf(accountId).changedCounters()).toMatchObject([{ linkId: id, clicks: 1 }]);
});
