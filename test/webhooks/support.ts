import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { vi } from "vitest";
import worker from "../../src/index.ts";
import type { Webhook } from "../../src/webhooks/contract.ts";
import type { DeliveryMessage } from "../../src/outbox/messages.ts";
import { buildRequest, createAccount, jsonOf, runCron, send, type CallOptions } from "../support/api.ts";

export const START = 1_800_000_000_000;

/** What a receiver got. */
export interface Received {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: string;
}

export interface Answer {
  status?: number;
  statusText?: string;
  headers?: Record<string, string>;
  body?: string;
  waitMs?: number;
  fails?: boolean;
  endless?: boolean;
}

/** The internet around the Worker (test/support/internet.js). */
export const internet = {
  async reset(): Promise<void> {
    await env.INTERNET.fetch("http://control/", { method: "DELETE" });
  },
  /** Forgets what hosts got, not what they answer. */
  async forget(): Promise<void> {
    await env.INTERNET.fetch("http://control/", { method: "POST" });
  },
  /** What hosts, or hosts with a path, answer; of a list one after the other. */
  async answers(answers: Record<string, Answer | Answer[]>): Promise<void> {
    await env.INTERNET.fetch("http://control/", { method: "PUT", body: JSON.stringify({ answers }) });
  },
  /** What names resolve to; a list of lists changes from look-up to look-up. */
  async addresses(addresses: Record<string, string[] | string[][] | string>): Promise<void> {
    await env.INTERNET.fetch("http://control/", { method: "PUT", body: JSON.stringify({ addresses }) });
  },
  /** What TXT and CNAME records hold, by type and name as in "TXT go.acme.com", or how their look-up fails. */
  async records(records: Record<string, string[] | "missing" | "servfail" | "refused" | "broken">): Promise<void> {
    await env.INTERNET.fetch("http://control/", { method: "PUT", body: JSON.stringify({ records }) });
  },
  async received(): Promise<Received[]> {
    return (await env.INTERNET.fetch("http://control/")).json();
  },
};

interface Sent {
  body: DeliveryMessage;
  at: number;
  attempts: number;
}

/** The Worker with a queue that the test hands out itself, on the test's clock. */
export class Service {
  /** In the queue, with the time from which each may be handed out. */
  messages: Sent[] = [];
  /** Loses what is sent while true. */
  losesMessages = false;
  readonly bindings: Partial<Env> = {
    DELIVERIES: {
      send: (body: DeliveryMessage, options?: QueueSendOptions) => this.#take([{ body }], options),
      sendBatch: (messages: Iterable<{ body: DeliveryMessage }>, options?: QueueSendBatchOptions) =>
        this.#take(messages, options),
    } as unknown as Queue,
  };

  #take(messages: Iterable<{ body: DeliveryMessage }>, options?: { delaySeconds?: number }) {
    const at = Date.now() + (options?.delaySeconds ?? 0) * 1_000;
    if (!this.losesMessages) for (const { body } of messages) this.messages.push({ body, at, attempts: 1 });
    return Promise.resolve();
  }

  call(method: string, path: string, options: CallOptions = {}): Promise<Response> {
    return send(buildRequest(method, path, options), this.bindings);
  }

  /** Hands out what may be handed out, batch by batch, until nothing is left; answers how many messages that was. */
  async deliver(batchSize = 5): Promise<number> {
    let handed = 0;
    for (;;) {
      const due = this.messages.filter(({ at }) => at <= Date.now()).slice(0, batchSize);
      if (due.length === 0) return handed;
      this.messages = this.messages.filter((message) => !due.includes(message));
      handed += due.length;
      await this.consume(due);
    }
  }

  /** One batch. */
  async consume(batch: readonly Omit<Sent, "at">[], bindings: Partial<Env> = {}): Promise<void> {
    const context = createExecutionContext();
    const messages = batch.map(({ body, attempts }) => ({
      id: crypto.randomUUID(),
      timestamp: new Date(),
      body,
      attempts,
      ack: () => undefined,
      retry: ({ delaySeconds = 0 }: QueueRetryOptions = {}) => {
        this.messages.push({ body, attempts: attempts + 1, at: Date.now() + delaySeconds * 1_000 });
      },
    }));
    const full = { queue: "tern-deliveries", messages, ackAll: () => undefined, retryAll: () => undefined };
    const all = { ...env, ...this.bindings, ...bindings };
    await worker.queue(full as unknown as Parameters<typeof worker.queue>[0], all, context);
    await waitOnExecutionContext(context);
  }

  async cron(): Promise<void> {
    await runCron(Date.now(), this.bindings);
  }

  async createWebhook(key: string, fields: Record<string, unknown> = {}): Promise<Webhook> {
    const body = { url: "https://hooks.receiver.dev/in", events: ["link.create"], ...fields };
    const response = await this.call("POST", "/api/webhooks", { key, body });
    if (response.status !== 201) throw new Error(`create webhook: ${response.status} ${await response.text()}`);
    return (await jsonOf<{ webhook: Webhook }>(response)).webhook;
  }

  async getWebhook(key: string, id: string): Promise<Webhook> {
    return (await jsonOf<{ webhook: Webhook }>(await this.call("GET", `/api/webhooks/${id}`, { key }))).webhook;
  }

  /** A link made through the API, and so a `link.create`. */
  async createLink(key: string, fields: Record<string, unknown> = {}): Promise<{ id: string; slug: string }> {
    const body = { url: "https://example.com/", ...fields };
    const response = await this.call("POST", "/api/links", { key, body });
    if (response.status !== 201) throw new Error(`create link: ${response.status} ${await response.text()}`);
    return (await jsonOf<{ link: { id: string; slug: string } }>(response)).link;
  }
}

/** A service at a clock that stands still, an account, and an internet that answers 200. */
export async function startService(): Promise<{ service: Service; key: string; accountId: number }> {
  vi.useFakeTimers({ toFake: ["Date"], now: START });
  await internet.reset();
  return { service: new Service(), ...(await createAccount()) };
}

export function advance(ms: number): void {
  vi.setSystemTime(Date.now() + ms);
}

export async function countRows(table: string): Promise<number> {
  return (await env.DB.prepare(`SELECT count(*) AS n FROM ${table}`).first<number>("n")) ?? 0;
}
