import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { consumeClicks } from "../../src/clicks/ingest/consumer.ts";
import { clickLogOf } from "../../src/click-log/log/stub.ts";
import {
  ClickMessageBuilder,
  readTarget,
  type ClickBatch,
  type ClickBatchMessage,
} from "../../src/click-log/capture/message.ts";
import type { CapturedClick, ServedTarget } from "../../src/click-log/capture/click.ts";
import { FIREFOX } from "./user-agents.ts";

/** A click as a redirect captures it. */
export function clickOn(
  linkId: string,
  accountId: number | null,
  fields: {
    at?: number;
    ip?: string | null;
    userAgent?: string;
    referrer?: string;
    country?: string;
    region?: string;
    city?: string;
    continent?: string;
    trigger?: 0 | 1;
    target?: ServedTarget;
  } = {},
): CapturedClick {
  return [
    fields.at ?? Date.now(),
    linkId,
    accountId,
    fields.target ?? { location: "https://example.com/" },
    fields.ip === undefined ? "203.0.113.1" : fields.ip,
    fields.userAgent ?? FIREFOX,
    fields.referrer ?? "",
    fields.country ?? "DE",
    fields.region ?? "BE",
    fields.city ?? "Berlin",
    fields.continent ?? "EU",
    fields.trigger ?? 0,
  ];
}

/** A message as an isolate sends it. */
export function messageOf(clicks: CapturedClick[]): ClickBatchMessage {
  const builder = new ClickMessageBuilder();
  for (const click of clicks) builder.add(click);
  return builder.toMessage();
}

/** The clicks in a message, those of one ClickLog together. */
export function clicksIn({ batches }: ClickBatchMessage): CapturedClick[] {
  return batches.flatMap(({ accountId, targets, origins, clicks }) =>
    clicks.at.map((at, index): CapturedClick => {
      const origin = origins[clicks.origin[index] ?? -1];
      const target = targets[clicks.target[index] ?? -1];
      if (origin === undefined || target === undefined) throw new Error("a click without an origin or a target");
      const { linkId, name, url: location } = readTarget(target);
      const served = name === "" ? { location } : { location, name };
      const [referrer = "", country = "", region = "", city = "", continent = "", trigger] = origin.split("\n");
      const values = [referrer, country, region, city, continent, trigger === "1" ? 1 : 0] as const;
      return [at, linkId, accountId, served, clicks.ip[index] ?? null, clicks.userAgent[index] ?? "", ...values];
    }),
  );
}

/** What a value takes in V8's serialisation, about: a byte for each character, or two in a text with one beyond Latin-1. */
export function serializedBytes(value: unknown): number {
  if (typeof value === "string") return 4 + value.length * (/[^\0-\xff]/.test(value) ? 2 : 1);
  if (value instanceof Uint8Array) return 8 + value.length;
  if (typeof value !== "object" || value === null) return 9;
  if (Array.isArray(value)) return 8 + value.reduce<number>((sum, each) => sum + serializedBytes(each), 0);
  return Object.entries(value).reduce((sum, [key, each]) => sum + serializedBytes(key) + serializedBytes(each), 4);
}

/** What the queue's consumer did with each message. */
export interface Consumed {
  retried: { index: number; delaySeconds: number | undefined }[];
}

/** Hands messages to the consumer as the queue does. */
export async function consume(bodies: ClickBatchMessage[], bindings: Partial<Env> = {}): Promise<Consumed> {
  const retried: Consumed["retried"] = [];
  const messages = bodies.map((body, index) => ({
    id: String(index),
    timestamp: new Date(),
    attempts: 1,
    body,
    ack: () => undefined,
    retry: (options?: QueueRetryOptions) => void retried.push({ index, delaySeconds: options?.delaySeconds }),
  }));
  await consumeClicks(messages, { ...env, ...bindings });
  return { retried };
}

export function logOf(accountId: number) {
  return clickLogOf(env, accountId);
}

/** What the ClickLog has loaded. */
export const codeOf = (log: object): object => (log as { code: object }).code;

/** Gives the account's ClickLog other bindings, until it is evicted. */
export async function rebindLog(accountId: number, bindings: Partial<Env>): Promise<void> {
  await runInDurableObject(
    logOf(accountId),
    (log) => void Object.assign(codeOf(log), { env: { ...env, ...bindings } }),
  );
}

/** Gives the account's ClickLog another bound of its size, until it is evicted. */
export async function boundLog(accountId: number, maxBytes: number): Promise<void> {
  await runInDurableObject(logOf(accountId), (log) => void Object.assign(codeOf(log), { maxBytes }));
}

/** ClickLogs of which only this is called. */
export function logsThat(ingest: (batches: ClickBatch[], log: string) => Promise<void>): Env["CLICK_LOG"] {
  const getByName = (log: string) => ({ ingest: (batches: ClickBatch[]) => ingest(batches, log) });
  return { getByName } as unknown as Env["CLICK_LOG"];
}
