import { expect, it, vi } from "vitest";
import type { Clicks } from "../../../src/clicks/analytics/contract.ts";
import type { ClickBatch, ClickBatchMessage } from "../../../src/click-log/capture/message.ts";
import { call, createAccount, createLink, jsonOf } from "../../support/api.ts";
import { consume, messageOf, clickOn } from "../../support/clicks.ts";

/** Changes each batch of a message so that it is invalid. */
const broken =
  (change: (batch: ClickBatch) => object) =>
  ({ kind, batches }: ClickBatchMessage) => ({
    kind,
    batches: batches.map((batch) => ({ ...batch, ...change(batch) })),
  });

it.each([
  ["has another form", () => ({ id: "another form" })],
  ["has no list of batches", () => ({ kind: "clicks" })],
  ["has no batch", () => ({ kind: "clicks", batches: [null] })],
  ["has no batch id", broken(() => ({ id: undefined }))],
  ["has half a click", broken(({ clicks }) => ({ clicks: { ...clicks, ip: [] } }))],
  ["has a click without a time", broken(({ clicks }) => ({ clicks: { ...clicks, at: [Number.NaN] } }))],
  ["has a target without a link", broken(({ targets }) => ({ targets: targets.map((text) => text.slice(36)) }))],
  ["lacks a target", broken(() => ({ targets: [] }))],
  ["lacks an origin", broken(() => ({ origins: [] }))],
  [
    "has half an origin",
    broken(({ origins }) => ({ origins: origins.map((text) => text.slice(text.indexOf("\n") + 1)) })),
  ],
  ["has a target before the first one", broken(({ clicks }) => ({ clicks: { ...clicks, target: [-1] } }))],
  ["has a target without a URL", broken(({ targets }) => ({ targets: targets.map((text) => text.slice(0, 36)) }))],
])(
  "stores the other clicks of an account if one of its messages %s",
  async (_, change: (message: ClickBatchMessage) => unknown) => {
    const { key, accountId } = await createAccount();
    const { id } = await createLink(key);
    const lines = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const unreadable = change(messageOf([clickOn(id, accountId)])) as ClickBatchMessage;
    const { retried } = await consume([
      messageOf([clickOn(id, accountId)]),
      unreadable,
      messageOf([clickOn(id, accountId)]),
    ]);
    expect(retried).toEqual([{ index: 1, delaySeconds: expect.any(Number) as number }]);
    expect(lines).toHaveBeenCalledOnce();
    const { clicks } = await jsonOf<{ clicks: Clicks }>(await call("GET", `/api/links/${id}/clicks`, { key }));
    expect(clicks.total).toBe(2);
  },
);
