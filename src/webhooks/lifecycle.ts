import { prepareChange } from "../access/audit/change.ts";
import { expectSubscriptionChange } from "../click-log/log/stub.ts";
import { requireConfirmedFor } from "../platform/auth/confirmed-operations.ts";
import { lacksPermissions, requirePermissions, accessChanged } from "../platform/auth/require-permissions.ts";
import { invalidRequest, limitReached } from "../platform/http/errors.ts";
import { isId, newId } from "../platform/lib/uuid.ts";
import { MAX_WEBHOOKS_PER_ACCOUNT } from "../limits.ts";
import type { EventType } from "../platform/outbox/event-types.ts";
import { sendWakeUps } from "../platform/outbox/messages.ts";
import { checkHost, guardOf, notPublic, urlError } from "../platform/outbound/url-guard.ts";
import { permissionsOf, unreadableEvents } from "./event-permissions.ts";
import { webhookForbidden, webhookNotFound } from "./get-webhook.ts";
import { newSecret } from "./secret.ts";
import { updateWebhook as changeWebhook, type ChangeOutcome, type WebhookChanges } from "./store/change.ts";
import { deleteWebhook as removeWebhook, type DeleteOutcome } from "./store/delete.ts";
import { insertWebhook, type NewWebhook } from "./store/insert.ts";
import type { Refusal } from "./store/refusal.ts";
import type { WebhookRow } from "./store/row.ts";
import * as secrets from "./store/secrets.ts";
import type { Principal, RequestContext } from "../platform/auth/principal.ts";
import { MAX_SIGNING_SECRETS, OLD_SECRET_TTL_MS } from "./limits.ts";
import { because, readBecause } from "../platform/http/faults.ts";

/** Creates, changes and deletes webhooks of the caller's account. */

const PERMISSION = "webhooks:write";

/** A webhook and its plain secret, which is shown only once. */
interface WebhookWithSecret {
  row: WebhookRow;
  secret: string;
}

export async function createWebhook(
  context: RequestContext,
  { url, events, format = "event", linkIds = null, tags = null }: WebhookChanges & Pick<NewWebhook, "url" | "events">,
): Promise<WebhookWithSecret> {
  const { env, db, now, principal } = context;
  requirePermissions(principal, permissionsOf(events));
  await checkUrl(context, url);
  const id = newId(now);
  const { secret, ...stored } = await newSecret(env, id);
  const webhook = { id, url, events, format, linkIds, tags, ...stored };
  if (events.includes("link.click")) await expectSubscriptionChange(context);
  const result = await insertWebhook(db, prepareChange(context, PERMISSION), webhook);
  if (result.outcome === "demoted") throw accessChanged(principal);
  if (result.outcome === "limit_reached")
    throw limitReached("limit_reached", { resource: "webhook", max: MAX_WEBHOOKS_PER_ACCOUNT });
  return { row: result.row, secret };
}

export async function updateWebhook(context: RequestContext, id: string, changes: WebhookChanges): Promise<WebhookRow> {
  const { db, principal } = context;
  if (changes.url !== undefined) requireConfirmedFor("PATCH /api/webhooks/:id", context);
  if (changes.events !== undefined) requirePermissions(principal, permissionsOf(changes.events));
  if (changes.url !== undefined) await checkUrl(context, changes.url);
  if (!isId(id)) throw webhookNotFound();
  const excluded = excludedEvents(principal, changes);
  // The webhook may subscribe to clicks now, or no longer.
  if ([changes.events, changes.linkIds, changes.tags].some((change) => change !== undefined))
    await expectSubscriptionChange(context);
  const result = await changeWebhook(db, prepareChange(context, PERMISSION), id, changes, excluded);
  const { row, waitingIds } = accept(result, principal);
  // A reactivation or a new URL lets pending deliveries go out.
  const wakesUp = row.status === "active" ? [id, ...waitingIds] : waitingIds;
  context.waitUntil(sendWakeUps(context.env, wakesUp));
  return row;
}

/**
 * The events that the webhook must not send for this change: with another URL or filter, it would send them to a receiver
 * of a caller who may not read them. Deactivating sends nothing.
 */
function excludedEvents(principal: Principal, { status, ...changes }: WebhookChanges): EventType[] {
  const onlyDeactivates = status === "inactive" && Object.values(changes).every((value) => value === undefined);
  return onlyDeactivates ? [] : unreadableEvents(principal.permissions);
}

/**
 * Replaces the secret. The previous one signs as well for {@link OLD_SECRET_TTL_MS}. Throws a 409 if
 * {@link MAX_SIGNING_SECRETS} sign already.
 */
export async function rotateSecret(context: RequestContext, id: string): Promise<WebhookWithSecret> {
  const { env, db, now, principal } = context;
  if (!isId(id)) throw webhookNotFound();
  const { secret, ...stored } = await newSecret(env, id);
  const change = { ...stored, oldUntil: now + OLD_SECRET_TTL_MS };
  const excluded = unreadableEvents(principal.permissions);
  const result = await secrets.rotateSecret(db, prepareChange(context, PERMISSION), id, change, excluded);
  if (result.outcome === "full")
    throw limitReached("too_many_secrets", {
      max: MAX_SIGNING_SECRETS,
      example: new Date(result.possibleAt).toISOString(),
    });
  return { row: accept(result, principal).row, secret };
}

export async function deleteWebhook(context: RequestContext, id: string): Promise<void> {
  const { db, principal } = context;
  if (!isId(id)) throw webhookNotFound();
  const { waitingIds } = accept(await removeWebhook(db, prepareChange(context, PERMISSION), id), principal);
  context.waitUntil(sendWakeUps(context.env, waitingIds));
}

/** Throws if the change was refused. */
function accept<T extends ChangeOutcome | DeleteOutcome>(result: T, principal: Principal): Exclude<T, Refusal> {
  if (result.outcome === "not_found") throw webhookNotFound();
  if (result.outcome === "forbidden") throw webhookForbidden();
  if (result.outcome === "demoted") throw accessChanged(principal);
  if (result.outcome === "excluded") throw lacksPermissions(principal, permissionsOf(result.events));
  return result as Exclude<T, Refusal>;
}

/** Refuses a URL that is not public. A name that does not resolve is accepted, because it is resolved before each attempt. */
async function checkUrl({ env, baseUrl }: RequestContext, url: string): Promise<void> {
  const guard = guardOf(env, baseUrl);
  let reason = urlError(url, guard);
  if (reason === null) {
    const verdict = await checkHost(new URL(url), guard);
    if (verdict === "own") reason = because("leads_back");
    if (verdict === "blocked") reason = notPublic(new URL(url), guard);
  }
  if (reason !== null) throw invalidRequest([readBecause("url", reason)]);
}
