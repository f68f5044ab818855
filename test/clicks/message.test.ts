import { expect, it, vi } from "vitest";
import type { Clicks } from "../../src/clicks/contract.ts";
import type { VisitMessage } from "../../src/clicks/message.ts";
import { call, createAccount, createLink, jsonOf } from "../support/api.ts";
import { consume, messageOf, visit } from "../support/clicks.ts";

it.each([
  ["is of another version", () => ({ id: "of another version" })],
  ["holds nothing", () => [null]],
  [
    "has half a visit",
    (message: VisitMessage) => message.map((batch) => ({ ...batch, visits: batch.visits.slice(20) })),
  ],
  ["has no time", (message: VisitMessage) => message.map((batch) => ({ ...batch, visits: `x${batch.visits}` }))],
  [
    "has half a visit more",
    (message: VisitMessage) => message.map((batch) => ({ ...batch, visits: `${batch.visits}\n1` })),
  ],
])(
  "stores the visits of an account also where a message among theirs %s",
  async (_, spoil: (message: VisitMessage) => unknown) => {
    const { key, accountId } = await createAccount();
    const { id } = await createLink(key);
    const lines = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const unreadable = spoil(messageOf([visit(id, accountId)])) as VisitMessage;
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
