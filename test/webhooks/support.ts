import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { vi } from "vitest";
import worker from "../../src/index.ts";
import type { Link } from "../../src/links/contract.ts";
import type { DeliveryMessage } from "../../src/platform/outbox/messages.ts";
import type { Webhook } from "../../src/webhooks/contract.ts";
import type { Delivery } from "../../src/webhooks/delivery-contract.ts";
import { until } from "../support/until.ts";
import { buildRequest, createAccount, jsonOf, runCron, send, type CallOptions } from "../support/api.ts";

export const START = 1_800_000_000_000;

/** A request that a receiver got. */
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
  /** Instead of `body`. */
  bytes?: number[];
  waitMs?: number;
  fails?: boolean;
  endless?: boolean;
  /** "manual": the body is sent as it is, whatever Content-Encoding says. */
  encodeBody?: "automatic" | "manual";
  /** Does not respond until the response is set again. */
  hangs?: boolean;
}

/** The simulated internet around the Worker (test/support/internet.js). */
export const internet = {
  async reset(): Promise<void> {
    await env.INTERNET.fetch("http://control/", { method: "DELETE" });
  },
  /** Clears the received requests. The configured responses stay. */
  async forget(): Promise<void> {
    await env.INTERNET.fetch("http://control/", { method: "POST" });
  },
  /** Sets the responses of hosts, or of hosts with a path. A list is used in order; its last item repeats. */
  async answers(answers: Record<string, Answer | Answer[]>): Promise<void> {
    await env.INTERNET.fetch("http://control/", { method: "PUT", body: JSON.stringify({ answers }) });
  },
  /** Sets the addresses of names. A list of lists changes with each lookup. */
  async addresses(addresses: Record<string, string[] | string[][] | string>): Promise<void> {
    await env.INTERNET.fetch("http://control/", { method: "PUT", body: JSON.stringify({ addresses }) });
  },
  /** Sets TXT and CNAME records, or how their lookup fails, by type and name as in "TXT go.acme.com". */
  async records(records: Record<string, string[] | "missing" | "servfail" | "refused" | "broken">): Promise<void> {
    await env.INTERNET.fetch("http://control/", { method: "PUT", body: JSON.stringify({ records }) });
  },
  async received(): Promise<Received[]> {
    return (await readInternet()).received;
  },
  /** The most requests that were in flight at the same time, look-ups of names included. */
  async mostInFlight(): Promise<number> {
    return (await readInternet()).mostInFlight;
  },
  /** The DNS queries of a name since the last reset, as in "A example.com". */
  async lookUps(name: string): Promise<string[]> {
    return (await readInternet()).lookedUp.filter((query) => query.endsWith(` ${name}`));
  },
};

async function readInternet(): Promise<{ received: Received[]; mostInFlight: number; lookedUp: string[] }> {
  return (await env.INTERNET.fetch("http://control/")).json();
}

interface Sent {
  body: DeliveryMessage;
  at: number;
  attempts: number;
}

/** The Worker with a queue whose messages the test delivers itself, on the test's clock. */
export class Service {
  /** The messages in the queue, each with the time from which it may be delivered. */
  messages: Sent[] = [];
  /** While true, sent messages are lost. */
  losesMessages = false;
  readonly #queue = {
    send: (body: DeliveryMessage, options?: QueueSendOptions) => this.#take([{ body }], options),
    sendBatch: (messages: Iterable<{ body: DeliveryMessage }>, options?: QueueSendBatchOptions) =>
      this.#take(messages, options),
  } as unknown as Queue;
  readonly bindings: Partial<Env> = { DELIVERIES: this.#queue, CLICK_EVENTS: this.#queue };

  #take(messages: Iterable<{ body: DeliveryMessage }>, options?: { delaySeconds?: number }) {
    const at = Date.now() + (options?.delaySeconds ?? 0) * 1_000;
    if (!this.losesMessages) for (const { body } of messages) this.messages.push({ body, at, attempts: 1 });
    return Promise.resolve();
  }

  call(method: string, path: string, options: CallOptions = {}): Promise<Response> {
    return send(buildRequest(method, path, options), this.bindings);
  }

  /** Delivers due messages in batches until none is left. Returns the number of messages. */
  async deliver(batchSize = 5): Promise<number> {
    let delivered = 0;
    for (;;) {
      const due = this.messages.filter(({ at }) => at <= Date.now()).slice(0, batchSize);
      if (due.length === 0) return delivered;
      this.messages = this.messages.filter((message) => !due.includes(message));
      delivered += due.length;
      await this.consume(due);
    }
  }

  /**
   * Delivers each message in an invocation of its own, those too that are sent meanwhile, until `isDone`. `end` waits for the
   * invocations.
   */
  async deliverConcurrently(isDone: () => Promise<boolean>): Promise<{ end: () => Promise<unknown> }> {
    const consumed: Promise<void>[] = [];
    await until(async () => {
      for (const message of this.messages.splice(0)) consumed.push(this.consume([message]));
      return isDone();
    });
    return { end: () => Promise.all(consumed) };
  }

  /** Delivers one batch. Resolves when the work after the consumer's return is done too. */
  async consume(batch: readonly Omit<Sent, "at">[], bindings: Partial<Env> = {}): Promise<void> {
    await waitOnExecutionContext(await this.begin(batch, bindings));
  }

  /** Delivers one batch. Resolves when the consumer returns, which acknowledges the messages. */
  async begin(batch: readonly Omit<Sent, "at">[], bindings: Partial<Env> = {}): Promise<ExecutionContext> {
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
    return context;
  }

  async cron(): Promise<void> {
    await runCron(Date.now(), this.bindings);
  }

  /** Delivers due messages. Returns the events that receivers got since the last call. */
  async receivedEvents<T = unknown>(): Promise<T[]> {
    await this.deliver();
    const events = (await internet.received()).map(({ body }) => JSON.parse(body) as T);
    await internet.reset();
    return events;
  }

  async createWebhook(key: string, fields: Record<string, unknown> = {}): Promise<Webhook> {
    const body = { url: "https://hooks.receiver.dev/in", events: ["link.create"], ...fields };
    const response = await this.call("POST", "/api/webhooks", { key, body });
    if (response.status !== 201) throw new Error(`create webhook: ${response.status} ${await response.text()}`);
    return (await jsonOf<{ webhook: Webhook }>(response)).webhook;
  }

  /** A webhook with this number of pending events, a millisecond apart. Returns its id. */
  async createWebhookWithEvents(key: string, count: number): Promise<string> {
    const { id } = await this.createWebhook(key);
    for (let n = 0; n < count; n++) {
      await this.createLink(key);
      advance(1);
    }
    return id;
  }

  async getWebhook(key: string, id: string): Promise<Webhook> {
    return (await jsonOf<{ webhook: Webhook }>(await this.call("GET", `/api/webhooks/${id}`, { key }))).webhook;
  }

  /** The newest 100 deliveries of a webhook. */
  async listDeliveries(key: string, id: string): Promise<Delivery[]> {
    const response = await this.call("GET", `/api/webhooks/${id}/deliveries?limit=100`, { key });
    return (await jsonOf<{ deliveries: Delivery[] }>(response)).deliveries;
  }

  /** The link of a response of the API. */
  async link(key: string, path: string, method = "GET", body?: unknown): Promise<Link> {
    return (await jsonOf<{ link: Link }>(await this.call(method, path, { key, body }))).link;
  }

  /**
   * Creates a link through the API, which emits `link.create`. No webhook has a free connection meanwhile, so the delivery is stored
   * without a lease.
   */
  async createLink(key: string, fields: Record<string, unknown> = {}): Promise<Link> {
    const body = { url: "https://example.com/", ...fields };
    await env.DB.prepare("UPDATE webhooks SET in_flight_limit = in_flight_limit - 100").run();
    const response = await this.call("POST", "/api/links", { key, body });
    await env.DB.prepare("UPDATE webhooks SET in_flight_limit = in_flight_limit + 100").run();
    if (response.status !== 201) throw new Error(`create link: ${response.status} ${await response.text()}`);
    return (await jsonOf<{ link: Link }>(response)).link;
  }
}

/** A service whose receivers respond 200 and have received nothing. */
export async function newService(): Promise<Service> {
  await internet.reset();
  return new Service();
}

/** Of the test that runs, since {@link startService}. */
export let service: Service;
export let key: string;
export let accountId: number;

/** Starts a service with a stopped clock and an account. */
export async function startService(): Promise<void> {
  vi.useFakeTimers({ toFake: ["Date"], now: START });
  service = await newService();
  ({ key, accountId } = await createAccount());
}

/** The same, with retries at the earliest time of their step. */
export async function startWithoutJitter(): Promise<void> {
  await startService();
  vi.spyOn(Math, "random").mockReturnValue(0);
}

export function advance(ms: number): void {
  vi.setSystemTime(Date.now() + ms);
}

export async function countRows(table: string): Promise<number> {
  return (await env.DB.prepare(`SELECT count(*) AS n FROM ${table}`).first<number>("n")) ?? 0;
}
