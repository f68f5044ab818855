import { toJsonPieces } from "../platform/database/json-pieces.ts";
import { invalidRequest, payloadTooLarge, toErrorBody } from "../platform/http/errors.ts";
import { faultsOf } from "../platform/http/validation.ts";
import { requireSameRequest } from "../platform/idempotency/header.ts";
import type { Idempotency, StoredResponse } from "../platform/idempotency/store/responses.ts";
import { findJournaledResponse, storeJournaledResponse, type Journal } from "../platform/idempotency/store/journal.ts";
import { sign } from "../platform/lib/hmac.ts";
import { newId } from "../platform/lib/uuid.ts";
import { MAX_BODY_BYTES, MAX_CHANGE_ATTEMPTS } from "../limits.ts";
import type { Changes, LinkResult, SuccessResult } from "./bulk-calls-contract.ts";
import { CreateLink } from "./contract.ts";
import { createLinks, toCreateRequest } from "./create.ts";
import { deleteLinks } from "./delete.ts";
import { refuse, type LinkOutcome } from "./refusal.ts";
import { withoutPassword } from "./password.ts";
import { toLink } from "./store/row.ts";
import { throwErrors, toUpdateRequest, updateLinks } from "./update.ts";
import { validateHosts, type LinkRequest } from "./validate.ts";
import type { RequestContext } from "../platform/auth/principal.ts";
import { MAX_RESPONSE_PIECE_BYTES } from "./limits.ts";

/** A link to create, or why the item of the request is none. */
type ParsedItem = { input: CreateLink } | { item: unknown; error: Error };

/** Validates each item as the body of a request for a single link. This takes most of the time of the Worker, so do it once. */
export function parseItems(items: readonly unknown[]): ParsedItem[] {
  return items.map((item) => {
    if (new TextEncoder().encode(JSON.stringify(item)).byteLength > MAX_BODY_BYTES) {
      return { item, error: payloadTooLarge("link_too_large", { max: MAX_BODY_BYTES }) };
    }
    const parsed = CreateLink.safeParse(item);
    return parsed.success ? { input: parsed.data } : { item, error: invalidRequest(faultsOf(parsed.error)) };
  });
}

/**
 * Creates the links that can be created. Returns for each item, in order, the link or why it was refused; or the first
 * response if the request repeats an earlier one.
 */
export async function createLinksInBulk(
  context: RequestContext,
  items: readonly ParsedItem[],
  idempotency: Idempotency | null,
): Promise<{ results: LinkResult[]; isReplay: boolean }> {
  if (idempotency === null) return { results: (await createItems(context, items, null)).results, isReplay: false };
  const { db, now } = context;
  const journal = { idempotency, runId: newId(now) };
  let stored = await findJournaledResponse(db, idempotency, now);
  for (let attempt = 1; attempt <= MAX_CHANGE_ATTEMPTS; attempt++) {
    if (stored !== null) requireSameRequest(stored.key, idempotency);
    if (stored !== null && stored.pieces.length > 0) {
      return {
        results: stored.pieces.flatMap((piece) => JSON.parse(piece) as LinkResult[]),
        isReplay: stored.isReplay,
      };
    }
    // A request that was cut off, or is still running, is continued as of the time when it began.
    const begun = { ...context, now: stored?.key.created_at ?? now };
    const { results, earlier } = await createItems(begun, items, journal);
    stored =
      earlier === null
        ? await storeJournaledResponse(db, journal, toJsonPieces(results, MAX_RESPONSE_PIECE_BYTES), begun.now)
        : { key: earlier, pieces: [], isReplay: true };
  }
  throw refuse("changed_concurrently").error;
}

async function createItems(
  context: RequestContext,
  items: readonly ParsedItem[],
  journal: Journal | null,
): Promise<{ results: LinkResult[]; earlier: StoredResponse | null }> {
  const requests = items.map((item) => toRequest(context, item));
  const valid = requests.filter((request): request is LinkRequest<CreateLink> => !(request instanceof Error));
  const { outcomes, earlier } = await createLinks(context, valid, null, journal);
  if (earlier !== null) return { results: [], earlier };
  const created = outcomes.values();
  const results = requests.map((request) =>
    request instanceof Error ? toErrorBody(request) : toLinkResult(context, created.next().value),
  );
  return { results, earlier };
}

/** The items for the fingerprint of the request: in their validated form, so that the spelling of the JSON does not matter. */
export async function toFingerprintItems(items: readonly ParsedItem[], encryptionKeys: string): Promise<unknown[]> {
  return Promise.all(
    items.map(async (parsed) =>
      "input" in parsed
        ? withoutPassword(parsed.input, encryptionKeys)
        : sign(encryptionKeys, "fingerprint of an invalid link", JSON.stringify(parsed.item)),
    ),
  );
}

/** Makes one change to the account's links. Returns for each id, in order, the link or why it was refused. */
export async function updateLinksInBulk(
  context: RequestContext,
  ids: readonly string[],
  { addTags, removeTags, ...fields }: Changes,
): Promise<LinkResult[]> {
  const request = toUpdateRequest(fields, context, "changes.");
  const { outcomes, verifiedHosts } = await updateLinks(context, ids, request, { tags: { addTags, removeTags } });
  throwErrors(validateHosts(request.fields, verifiedHosts), "changes.");
  return ids.map((id) => toLinkResult(context, outcomes.get(id)));
}

/** Deletes the account's links. Returns for each id, in order, that it was deleted or why it was refused. */
export async function deleteLinksInBulk(context: RequestContext, ids: readonly string[]): Promise<SuccessResult[]> {
  const outcomes = await deleteLinks(context, ids);
  return ids.map((id) => {
    const outcome = outcomes.get(id) ?? refuse("not_found");
    return outcome.ok ? { success: true } : toErrorBody(outcome.error);
  });
}

function toLinkResult({ baseUrl, now }: RequestContext, outcome: LinkOutcome = refuse("not_found")): LinkResult {
  return outcome.ok ? { link: toLink(outcome.row, baseUrl, now) } : toErrorBody(outcome.error);
}

function toRequest(context: RequestContext, parsed: ParsedItem): LinkRequest<CreateLink> | Error {
  if ("error" in parsed) return parsed.error;
  const request = toCreateRequest(parsed.input, context);
  return request.errors.length > 0 ? invalidRequest(request.errors) : request;
}
