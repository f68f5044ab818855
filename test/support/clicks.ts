import { env } from "cloudflare:workers";
import { consumeClicks } from "../../src/clicks/ingest/consumer.ts";
import { clickLogOf } from "../../src/clicks/click-log/client.ts";
import { ClickMessageBuilder, readOrigin, unpack, type ClickMessage } from "../../src/clicks/capture/message.ts";
import { BY_QR, type CapturedClick } from "../../src/clicks/capture/click.ts";

export const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

/** A visit as a redirect writes it down. */
export function visit(
  linkId: string,
  accountId: number | null,
  fields: {
    at?: number;
    ip?: string;
    userAgent?: string;
    referrer?: string;
    country?: string;
    region?: string;
    city?: string;
    continent?: string;
    trigger?: 0 | 1;
  } = {},
): CapturedClick {
  return [
    fields.at ?? Date.now(),
    linkId,
    accountId,
    fields.ip ?? "203.0.113.1",
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
export function messageOf(visits: CapturedClick[]): ClickMessage {
  const draft = new ClickMessageBuilder();
  for (const each of visits) draft.add(each);
  return draft.toMessage();
}

/** The visits in a message, those of one ClickLog together. */
export function visitsIn(message: ClickMessage): CapturedClick[] {
  return message.flatMap((batch) =>
    unpack(batch).map(({ at, linkId, ip, userAgent, origin }): CapturedClick => {
      const { byQr, country, region, city, continent, referrer } = readOrigin(origin);
      const trigger = byQr ? BY_QR : 0;
      return [at, linkId, batch.accountId, ip, userAgent, referrer, country, region, city, continent, trigger];
    }),
  );
}

/** What the queue's consumer did with each message. */
export interface Consumed {
  retried: { index: number; delaySeconds: number | undefined }[];
}

/** Hands messages to the consumer as the queue does. */
export async function consume(bodies: ClickMessage[], bindings: Partial<Env> = {}): Promise<Consumed> {
  const retried: Consumed["retried"] = [];
  const messages = bodies.map((body, index) => ({
    id: String(index),
    timestamp: new Date(),
    attempts: 1,
    body,
    ack: () => undefined,
    retry: (options?: QueueRetryOptions) => void retried.push({ index, delaySeconds: options?.delaySeconds }),
  }));
  const queued = { queue: "tern-clicks", messages, ackAll: () => undefined, retryAll: () => undefined };
  await consumeClicks(queued as unknown as MessageBatch<ClickMessage>, { ...env, ...bindings });
  return { retried };
}

export function logOf(accountId: number) {
  return clickLogOf(env, accountId);
}
