import type { RequestContext } from "../context.ts";
import { invalidRequest, payloadTooLarge, toErrorBody } from "../http/errors.ts";
import { faultsOf } from "../http/validation.ts";
import { MAX_BODY_BYTES, MAX_PASSWORDS_PER_BULK } from "../limits.ts";
import type { Changes, LinkResult, SuccessResult } from "./bulk-contract.ts";
import { CreateLink } from "./contract.ts";
import { createLinks, toCreateRequest } from "./create.ts";
import { deleteLinks } from "./delete.ts";
import { refuse, type LinkOutcome } from "./outcome.ts";
import { toLink } from "./store/row.ts";
import { throwErrors, toUpdateRequest, updateLinks } from "./update.ts";
import { validateHosts, type LinkRequest } from "./validate.ts";

/** Creates the links that can be created. Returns for each item, in order, the link or why it was refused. */
export async function createLinksInBulk(context: RequestContext, items: readonly unknown[]): Promise<LinkResult[]> {
  const requests = readItems(context, items);
  const { outcomes } = await createLinks(
    context,
    requests.filter((request): request is LinkRequest<CreateLink> => !(request instanceof Error)),
  );
  const created = outcomes.values();
  return requests.map((request) =>
    request instanceof Error ? toErrorBody(request) : toLinkResult(context, created.next().value),
  );
}

/** Makes one change to the account's links. Returns for each id, in order, the link or why it was refused. */
export async function updateLinksInBulk(
  context: RequestContext,
  ids: readonly string[],
  changes: Changes,
): Promise<LinkResult[]> {
  const request = toUpdateRequest(changes, context, "changes.");
  const { outcomes, verifiedHosts } = await updateLinks(context, ids, request);
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

/** Reads each item as the body of a request for a single link. */
function readItems(context: RequestContext, items: readonly unknown[]): (LinkRequest<CreateLink> | Error)[] {
  let passwords = 0;
  return items.map((item) => {
    const request = readItem(context, item);
    if (request instanceof Error || request.fields.password == null) return request;
    return ++passwords > MAX_PASSWORDS_PER_BULK ? invalidRequest([TOO_MANY_PASSWORDS]) : request;
  });
}

const TOO_MANY_PASSWORDS = {
  path: "password",
  message: `can be set on at most ${MAX_PASSWORDS_PER_BULK} links of one request; send the others in another`,
};

function readItem(context: RequestContext, item: unknown): LinkRequest<CreateLink> | Error {
  if (new TextEncoder().encode(JSON.stringify(item)).byteLength > MAX_BODY_BYTES) {
    return payloadTooLarge(`A link may have at most ${MAX_BODY_BYTES} bytes.`);
  }
  const parsed = CreateLink.safeParse(item);
  if (!parsed.success) return invalidRequest(faultsOf(parsed.error));
  const request = toCreateRequest(parsed.data, context);
  return request.errors.length > 0 ? invalidRequest(request.errors) : request;
}
