import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { findDueAccount } from "../../../src/identity/account-purge/store.ts";
import { Batch, addCheck } from "../../../src/platform/database/batch.ts";
import { isRestorable } from "../../../src/platform/database/account-states.ts";
import { newId } from "../../../src/platform/lib/uuid.ts";
import { DELETED_ACCOUNT_KEPT_MS } from "../../../src/limits.ts";
import { findDueMoves } from "../../../src/links/claims/store.ts";
import { findSubscribers } from "../../../src/platform/outbox/subscribers.ts";
import { createAccount } from "../../support/accounts.ts";
import { CLICK_MOVE_DELAY_MS } from "../../../src/links/limits.ts";
import { DELETED_ACCOUNT_PURGE_DELAY_MS } from "../../../src/identity/account-purge/limits.ts";

const { DB } = env;

it("ends for every part of the service in the same millisecond", async () => {
  const { accountId } = await createAccount(DB);
  const deletedAt = Date.now();
  const deadline = deletedAt + DELETED_ACCOUNT_KEPT_MS;
  const linkId = newId(deletedAt);
  await DB.prepare(
    `INSERT INTO link_claims (link_seq, link_id, hash, created_at, claimed_by, account_id, move_at)
     VALUES (1, ?1, 'hash', ?2, 'someone', ?3, ?4)`,
  )
    .bind(linkId, deletedAt, accountId, deletedAt + CLICK_MOVE_DELAY_MS)
    .run();

  const partsAt = async (now: number) => {
    const batch = new Batch(DB);
    const check = addCheck(batch, isRestorable(accountId, now));
    await batch.commit();
    const [move] = await findDueMoves(DB, now, 1);
    const due = await findDueAccount(DB, now + DELETED_ACCOUNT_PURGE_DELAY_MS);
    return {
      canBeRestored: check.first !== undefined,
      storesClicks: (await findSubscribers(DB, accountId, "link.click", now)) !== null,
      movesClicks: move?.is_purged === 0,
      isPurgedAfterDelay: due?.id === accountId,
    };
  };
  const live = { canBeRestored: false, storesClicks: true, movesClicks: true, isPurgedAfterDelay: false };
  expect(await partsAt(deadline)).toEqual(live);
  await DB.prepare("UPDATE accounts SET deleted_at = ?2 WHERE id = ?1").bind(accountId, deletedAt).run();
  expect(await partsAt(deadline - 1)).toEqual({ ...live, canBeRestored: true });
  expect(await partsAt(deadline)).toEqual({
    canBeRestored: false,
    storesClicks: false,
    movesClicks: false,
    isPurgedAfterDelay: true,
  });
});
