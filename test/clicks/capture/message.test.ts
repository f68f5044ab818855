import { expect, it, vi } from "vitest";
import type { Clicks } from "../../../src/clicks/analytics/contract.ts";
import type { ClickBatch, ClickMessage } from "../../../src/clicks/capture/message.ts";
import { call, createAccount, createLink, jsonOf } from "../../support/api.ts";
import { consume, messageOf, visit } from "../../support/clicks.ts";

/** What makes of each batch of a message another that nobody can read. */
const spoilt = (spoil: (batch: ClickBatch) => Partial<ClickBatch>) => (message: ClickMessage) =>
  message.map((batch) => ({ ...batch, ...spoil(batch) }));

it.each([
  ["is of another version", () => ({ id: "of another version" })],
  ["holds nothing", () => [null]],
  ["has half a visit", spoilt(({ visits }) => ({ visits: visits.slice(1) }))],
  ["has no time", spoilt(() => ({ since: Number.NaN }))],
  ["lacks a text", spoilt(({ texts }) => ({ texts: texts.slice(0, 40) }))],
  ["has a text that is before the first", spoilt(({ visits }) => ({ visits: visits.with(1, -1) }))],
])(
  "stores the visits of an account also where a message among theirs %s",
  async (_, spoil: (message: ClickMessage) => unknown) => {
    const { key, accountId } = await createAccount();
    const { id } = await createLink(key);
    const lines = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const unreadable = spoil(messageOf([visit(id, accountId)])) as ClickMessage;
    const { retried } = await consume([
      messageOf([visit(id, accountId)]),
      unreadable,
      messageOf([visit(id, accountId)]),
    ]);
    expect(retried).toEqual([{ index: 1, delaySeconds: expect.any(Number) as number }]);
    expect(lines).toHaveBeenCalledOnce();
    const { clicks } = await jsonOf<{ clicks: Clicks }>(await call("GET", `/api/links/${id}/clicks`, { key }));
    expect(clicks.total).toBe(2);
  },
);
