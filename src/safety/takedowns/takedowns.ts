import { toUnicodeName } from "../../domains/name.ts";
import { invalidField, notFound } from "../../platform/http/errors.ts";
import { isId, newId } from "../../platform/lib/uuid.ts";
import { toStoredDomain } from "../../links/domain.ts";
import { hostOf } from "../../platform/lib/host-of.ts";
import { setVerdicts } from "../../links/set-verdicts.ts";
import { publishTakenDownHosts } from "../../redirect/lookup/taken-down-hosts.ts";
import { readOwnEntry } from "../screening/list-entry.ts";
import { isSharedHost } from "../screening/shared-hosts.ts";
import { isAdvisory, packVerdict, unpackVerdict } from "../../redirect/verdict.ts";
import type { SessionContext } from "../../access/sessions/session.ts";
import { operatorActs } from "../../access/sessions/store/operators.ts";
import type { CreateTakedown, Takedown } from "./contract.ts";
import { findNamedLink } from "./named-link.ts";
import { noOperator, toEntry } from "../operators/operator-entry.ts";
import * as store from "./store/takedowns.ts";
import { tellOwners } from "./tell-owners.ts";

/** What is taken down. */
interface Target {
  target: string;
  shown: string;
  /** null: nobody's, or those that are found later. */
  accountId: number | null;
  /** Of a link: its packed verdict. */
  former: number | null;
}

/**
 * Takes down a link, an account, a domain or a host, and tells the owners. Decides the open reports that it concerns, unless
 * `settlesReports` is false. May be repeated. Throws a 404 if there is no such thing.
 */
export async function createTakedown(
  context: SessionContext,
  input: CreateTakedown,
  settlesReports = true,
): Promise<Takedown> {
  const { db, now, session } = context;
  const { kind, reason, statement = null, legal = false } = input;
  const target = await findTarget(context, input);
  const { accountId } = target;
  const id = newId(now);
  const imposed = packVerdict({ state: "blocked", reason: legal ? "legal_order" : reason, since: now }, false);
  const entry = toEntry(context, "takedown.create", target.shown, { kind, reason, legal, statement });
  const isAllowed = operatorActs(session.id, session.user.id);
  const row = await store.insertTakedown(
    db,
    { id, kind, ...target, imposed, statement, created_at: now, created_by: session.user.id, settlesReports },
    entry,
    isAllowed,
  );
  if (row === null) throw noOperator();
  // Again if it was taken down before: a call may have failed between the two.
  if (kind === "link") await setVerdicts(context, new Map([[row.target, unpackVerdict(row.imposed)]]));
  if (kind === "host") await publishTakenDownHosts(context);
  if (row.id === id && accountId !== null) await tellOwners(context, { accountId, takedownId: id });
  return toTakedown(row);
}

/**
 * Reverses a takedown. The links have the verdict from before again. May be repeated. The owners get a mail, except those of the
 * account `appellant`, which learn it by the decision of their appeal.
 */
export async function reverseTakedown(
  context: SessionContext,
  id: string,
  appellant: number | null = null,
): Promise<void> {
  const { db, now, session } = context;
  const row = isId(id) ? await store.findTakedown(db, id) : null;
  if (row === null) throw notFound("not_found", { resource: "takedown" });
  if (row.reversed_at !== null) return;
  const entry = toEntry(context, "takedown.reverse", row.shown, { kind: row.kind, takedownId: id });
  // First, so that a call that is repeated after a failure does it again.
  const former = row.former ?? 0;
  const verdicts = new Map([[row.target, { ...unpackVerdict(former), isAdvisory: isAdvisory(former) }]]);
  if (row.kind === "link") await setVerdicts(context, verdicts, { keepsDistrust: true });
  const accountId = row.kind === "host" ? null : await accountOf(context, row);
  const by = { operatorId: session.user.id, now, accountId, appellant };
  if (!(await store.endTakedown(db, id, by, entry, operatorActs(session.id, session.user.id)))) throw noOperator();
  if (row.kind === "host") await publishTakenDownHosts(context);
  const telling = tellAll(context, id, appellant);
  // A host can have the links of many accounts. The cron tells those whom this call does not.
  if (row.kind === "host") context.waitUntil(telling);
  else await telling;
}

async function tellAll(context: SessionContext, takedownId: string, appellant: number | null): Promise<void> {
  for (const accountId of await store.listAccountsOf(context.db, takedownId))
    if (accountId !== appellant) await tellOwners(context, { accountId, takedownId });
}

export function toTakedown(row: store.TakedownRow): Takedown {
  const { reason } = unpackVerdict(row.imposed);
  return {
    id: row.id,
    kind: row.kind,
    value: row.kind === "domain" ? toUnicodeName(row.shown) : row.shown,
    reason: reason === "legal_order" ? null : (reason as Takedown["reason"]),
    legal: reason === "legal_order",
    statement: row.statement,
    createdAt: row.created_at,
    createdBy: row.operator_name,
    reversedAt: row.reversed_at,
    links: row.kind === "host" ? row.found_links : null,
  };
}

async function findTarget({ env, db, baseUrl }: SessionContext, { kind, value }: CreateTakedown): Promise<Target> {
  if (kind === "account") {
    const account = await store.findAccount(db, value.toLowerCase());
    if (account === null) throw notFound("not_found", { resource: "account" });
    return { target: String(account.id), shown: account.uuid, accountId: account.id, former: null };
  }
  if (kind === "host") {
    const host = toHost(value);
    return { target: host, shown: host, accountId: null, former: null };
  }
  if (kind === "domain") {
    const domain = toStoredDomain(value, baseUrl);
    const found = await store.findDomain(db, domain);
    if (found === null) throw notFound("not_found", { resource: "domain" });
    return { target: domain, shown: domain, accountId: found.account_id, former: null };
  }
  const found = await findNamedLink(env, value, baseUrl);
  if (found === null) throw notFound("not_found", { resource: "link" });
  const { id, account_id: accountId, domain, slug, own_verdict: former } = found;
  const shown = `${domain === "" ? baseUrl : `https://${domain}`}/${slug}`;
  return { target: id, shown, accountId, former };
}

/** The name of a host as the hosts of destinations have it. */
function toHost(value: string): string {
  const entry = /^https?:/i.test(value) ? null : readOwnEntry(value);
  const host = entry === null ? "" : hostOf(`https://${entry.value}`);
  if (host === "") throw invalidField("value", "not_a_host_name");
  if (isSharedHost(host)) throw invalidField("value", "shared_host");
  return host;
}

/** The account that the takedown concerns now; null: nobody's. */
async function accountOf(
  { env, db, baseUrl }: SessionContext,
  { kind, target }: store.TakedownRow,
): Promise<number | null> {
  if (kind === "account") return Number(target);
  if (kind === "domain") return (await store.findDomain(db, target))?.account_id ?? null;
  return (await findNamedLink(env, target, baseUrl))?.account_id ?? null;
}
