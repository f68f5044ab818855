import type { ServiceContext } from "../../platform/context.ts";
import { conflict, limitReached, notFound, invalidField } from "../../platform/http/errors.ts";
import type { Page } from "../../platform/http/pagination.ts";
import { describeError, log } from "../../platform/lib/log.ts";
import { newId } from "../../platform/lib/uuid.ts";
import { readOwnEntry } from "./list-entry.ts";
import { findScreener, isScreeningOn } from "./screen-urls.ts";
import type { SessionContext } from "../../access/sessions/session.ts";
import { operatorActs } from "../../access/sessions/store/operators.ts";
import { MAX_SCREENING_ENTRIES, MAX_SCREENING_FILES } from "../limits.ts";
import { noOperator, toEntry } from "../operators/operator-entry.ts";
import type { CreateScreeningRule, ScreeningRule } from "./contract.ts";
import * as store from "./store/rules.ts";

/** Adds a rule. Throws a 409 if there is such a rule, or if there are too many. */
export async function createRule(context: SessionContext, input: CreateScreeningRule): Promise<ScreeningRule> {
  const { env, db, now, session } = context;
  requireScreening(env);
  const { kind, verdict = "block", note = null } = input;
  const { value, entry } = kind === "entry" ? toOwnEntry(input.value) : toFile(input);
  const reason = verdict === "allow" ? null : (input.reason ?? "policy");
  const max = kind === "entry" ? MAX_SCREENING_ENTRIES : MAX_SCREENING_FILES;
  const row = await store.insertRule(
    db,
    { id: newId(now), kind, value, entry, verdict, reason, note, created_at: now, created_by: session.user.id },
    max,
    toEntry(context, "screening.add", value, { kind, verdict, reason, note }),
    operatorActs(session.id, session.user.id),
  );
  if (row === "exists") throw conflict("exists", { resource: "rule", value });
  if (row === "full") throw limitReached("limit_reached", { resource: "rule", max });
  if (row === "not_allowed") throw noOperator();
  await reload(env);
  return toRule(row, null);
}

function toOwnEntry(text: string): { value: string; entry: string } {
  const own = readOwnEntry(text);
  if (own !== null) return own;
  throw invalidField("value", "not_a_host_or_url");
}

function toFile({ value, verdict }: CreateScreeningRule): { value: string; entry: string } {
  if (verdict === "allow") throw invalidField("verdict", "not_one_of", { allowed: ["block"] });
  const url = URL.parse(value);
  if (url?.protocol !== "https:") throw invalidField("value", "not_https");
  return { value: url.href, entry: `file ${url.href}` };
}

/** The rules of a page and one more, with the states of list files. */
export async function listRules({ env, db }: SessionContext, page: Page): Promise<ScreeningRule[]> {
  requireScreening(env);
  return withStates(env, await store.listRules(db, page));
}

/** All list files, with their states. */
export async function listFiles({ env, db }: ServiceContext): Promise<ScreeningRule[]> {
  return withStates(env, await store.listFiles(db));
}

async function withStates(env: Env, rows: readonly store.RuleRow[]): Promise<ScreeningRule[]> {
  const ids = rows.filter(({ kind }) => kind !== "entry").map(({ id }) => id);
  const states = ids.length === 0 ? [] : await findScreener(env).describeLists(ids);
  const byId = new Map(ids.map((id, index) => [id, states[index] ?? null]));
  return rows.map((row) => toRule(row, byId.get(row.id) ?? null));
}

/** Deletes a rule. Throws a 404 if there is none with this id. */
export async function deleteRule(context: SessionContext, id: string): Promise<void> {
  const { env, db, session } = context;
  requireScreening(env);
  const rule = await store.findRule(db, id);
  if (rule === null) throw notFound("not_found", { resource: "rule" });
  const record = toEntry(context, "screening.remove", rule.value, { kind: rule.kind, verdict: rule.verdict });
  if (!(await store.deleteRule(db, id, record, operatorActs(session.id, session.user.id)))) throw noOperator();
  await reload(env);
}

function requireScreening(env: Env): void {
  if (!isScreeningOn(env)) throw conflict("screening_off");
}

/** Without it, the Screener takes over the change when the cron runs next. */
async function reload(env: Env): Promise<void> {
  try {
    await findScreener(env).reload();
  } catch (error) {
    log("warn", "screening_failed", describeError(error));
  }
}

const NOT_READ: ScreeningRule["file"] = { entries: 0, refreshedAt: null, fault: null };

function toRule(row: store.RuleRow, state: ScreeningRule["file"]): ScreeningRule {
  const { created_at: createdAt, operator_name: createdBy, ...rule } = row;
  return { ...rule, file: rule.kind === "entry" ? null : (state ?? NOT_READ), createdAt, createdBy };
}
