import { conflict, invalidRequest, payloadTooLarge, toErrorBody } from "../../http/errors.ts";
import { faultsOf } from "../../http/validation.ts";
import { newId, newIds } from "../../lib/uuid.ts";
import { MAX_BODY_BYTES, MAX_PASSWORDS_PER_BULK, MAX_SLUG_ATTEMPTS } from "../../limits.ts";
import type { ChangeContext } from "../update.ts";
import { CreateLink } from "../contract.ts";
import { hashOf, publishNew, refusalOf, toDraft, toNewLink, type Creation, type Draft } from "../create.ts";
import { insertLinks, type InsertOutcome } from "../store/insert.ts";
import { toLink, type LinkRow } from "../store/row.ts";
import { wake } from "../notify-webhooks.ts";
import type { LinkResult } from "./contract.ts";

interface Pending {
  index: number;
  draft: Draft;
  passwordHash: string | null;
}

/** Makes the links that can be made, in one write; answers for each, in order, the link or why it was not made. */
export async function createMany(c: ChangeContext, items: readonly unknown[]): Promise<LinkResult[]> {
  const { accountId } = c.get("context").principal;
  const creation = { accountId, now: c.get("context").now, baseUrl: c.get("context").baseUrl };
  const noneFree = conflict("No free slug was found. Try again.");
  const results: LinkResult[] = items.map(() => toErrorBody(noneFree));
  let pending: Pending[] = [];
  let passwords = 0;
  for (const [index, item] of items.entries()) {
    const draft = readDraft(creation, item);
    if (draft instanceof Error) {
      results[index] = toErrorBody(draft);
    } else if (draft.fields.password != null && ++passwords > MAX_PASSWORDS_PER_BULK) {
      results[index] = toErrorBody(invalidRequest([TOO_MANY_PASSWORDS]));
    } else {
      pending.push({ index, draft, passwordHash: await hashOf(draft) });
    }
  }

  const made: LinkRow[] = [];
  for (let attempt = 1; attempt <= MAX_SLUG_ATTEMPTS && pending.length > 0; attempt++) {
    const ids = newIds(creation.now, pending.length);
    const links = pending.map(({ draft, passwordHash }, n) =>
      toNewLink(creation, draft, passwordHash, ids[n] as string),
    );
    const event = { id: newId(creation.now), now: creation.now, baseUrl: creation.baseUrl };
    const { outcomes, webhookIds } = await insertLinks(c.env.DB, accountId, links, null, event);
    wake(c, webhookIds);
    const again: Pending[] = [];
    for (const [n, waiting] of pending.entries()) {
      const { index, draft } = waiting;
      const outcome = outcomes[n] as InsertOutcome;
      const row = links[n]?.row as LinkRow;
      const refusal = refusalOf(outcome, draft);
      if (refusal !== null) results[index] = toErrorBody(refusal);
      else if (outcome.outcome !== "created") again.push(waiting);
      else {
        results[index] = { link: toLink(row, creation.baseUrl, creation.now) };
        made.push(row);
      }
    }
    pending = again;
  }
  await Promise.all(made.map((row) => publishNew(row, creation.now)));
  return results;
}

const TOO_MANY_PASSWORDS = {
  path: "password",
  message: `can be set on at most ${MAX_PASSWORDS_PER_BULK} links of one request; send the others in another`,
};

/** One of the links as the request for it alone would be read. */
function readDraft(creation: Creation, item: unknown): Draft | Error {
  if (new TextEncoder().encode(JSON.stringify(item)).byteLength > MAX_BODY_BYTES) {
    return payloadTooLarge(`A link may have at most ${MAX_BODY_BYTES} bytes.`);
  }
  const parsed = CreateLink.safeParse(item);
  if (!parsed.success) return invalidRequest(faultsOf(parsed.error));
  const draft = toDraft(creation, parsed.data);
  return draft.faults.length > 0 ? invalidRequest(draft.faults) : draft;
}
