import { env } from "cloudflare:workers";
import type { Link } from "../../src/links/contract.ts";
import type { LinkRow } from "../../src/links/store/row.ts";
import { readBody, SELECTED_BODY } from "../../src/platform/outbox/body.ts";
import { jsonOf, type ErrorJson } from "../support/api.ts";
import { interceptD1, statementsOf } from "../support/d1-client.ts";
import { service } from "../webhooks/support.ts";

type Answer = { status: number; link: Link; results: ({ link: Link } & ErrorJson)[] } & ErrorJson;

/** Calls the API of the service of the test that runs. */
export async function api(key: string, method: string, path: string, body?: unknown, headers = {}): Promise<Answer> {
  const response = await service.call(method, path, { key, body, headers });
  return { status: response.status, ...(await jsonOf<Omit<Answer, "status">>(response)) };
}

export const change = (key: string, id: string, fields: object, headers = {}) =>
  api(key, "PATCH", `/api/links/${id}`, fields, headers);

/** Whether the SQL of a round trip changes or creates links. */
const isWrite = (sql: unknown) => statementsOf(sql).some((statement) => WRITES.test(statement));
const WRITES = /l\.updated_at = \?1 ->> l\.id|INSERT INTO links /;

/** The statement that changes links has their keys. */
const UPDATED = /UPDATE links AS l .*?updated_at = .*?WHERE l\.seq IN \(([\d,]*)\)/s;

/**
 * Does `between` after the request of `run` has read and before it writes. Returns its result, and for each of its writes how many
 * links it was to change.
 */
export async function interleave<T>(
  between: () => Promise<unknown>,
  run: () => Promise<T>,
): Promise<{ answer: T; writes: number[] }> {
  const writes: number[] = [];
  let [isBetween, isDone] = [false, false];
  let answer: T | undefined;
  await interceptD1(
    async (sql, send) => {
      if (isBetween || !isWrite(sql)) return send();
      const keys = statementsOf(sql).map((statement) => UPDATED.exec(statement)?.[1]?.split(",") ?? []);
      writes.push(keys.flat().length);
      if (!isDone) {
        isBetween = true;
        await between();
        [isBetween, isDone] = [false, true];
      }
      return send();
    },
    async () => void (answer = await run()),
  );
  return { answer: answer as T, writes };
}

/** A webhook that gets these events. They stay stored. */
export async function listen(key: string, events: string[] = ["link.update", "link.expired"]): Promise<void> {
  await service.createWebhook(key, { events });
  await env.DB.prepare("UPDATE webhooks SET in_flight_limit = 0").run();
}

export interface LinkEvent {
  event: string;
  data: Link;
}

/** The events since {@link listen}, by the versions of their links. */
export async function storedEvents(): Promise<LinkEvent[]> {
  const { results } = await env.DB.prepare(`SELECT ${SELECTED_BODY} AS body FROM deliveries d`).all<{ body: string }>();
  const bodies = await Promise.all(results.map(({ body }) => readBody(body)));
  return bodies
    .map((body) => JSON.parse(body) as LinkEvent)
    .toSorted((a, b) => a.data.updatedAt - b.data.updatedAt || (a.event < b.event ? -1 : 1));
}

export type StoredRow = LinkRow & { seq: number; slug_key: string; status: string; host_takedowns: string | null };

export async function rowOf(id: string): Promise<StoredRow> {
  return (await env.DB.prepare("SELECT * FROM links WHERE id = ?1").bind(id).first<StoredRow>()) as StoredRow;
}
