import { env } from "cloudflare:workers";
import { newId } from "../../../src/platform/lib/uuid.ts";
import type { ListenerWithSecret, Poll } from "../../../src/webhooks/listeners/contract.ts";
import { queueClickEvents } from "../../../src/platform/outbox/messages.ts";
import { clickMessages, findSubscribers } from "../../../src/platform/outbox/subscribers.ts";
import { jsonOf } from "../../support/api.ts";
import type { Service } from "../support.ts";

const LINK_EVENTS = ["link.create", "link.update", "link.delete"];

/** The calls of a client that listens. */
export class Client {
  readonly service: Service;
  readonly key: string;

  constructor(service: Service, key: string) {
    this.service = service;
    this.key = key;
  }

  send(method: string, path: string, body?: unknown): Promise<Response> {
    return this.service.call(method, `/api/listeners${path}`, { key: this.key, body });
  }

  async create(events: readonly string[] = LINK_EVENTS): Promise<ListenerWithSecret> {
    const response = await this.send("POST", "", { events });
    if (response.status !== 201) throw new Error(`create listener: ${response.status} ${await response.text()}`);
    return (await jsonOf<{ listener: ListenerWithSecret }>(response)).listener;
  }

  async poll(id: string, query = ""): Promise<Poll> {
    const response = await this.send("GET", `/${id}/events${query}`);
    if (response.status !== 200) throw new Error(`poll: ${response.status} ${await response.text()}`);
    return jsonOf<Poll>(response);
  }

  /** Polls once everything is delivered. */
  async deliverAndPoll(id: string, query = ""): Promise<Poll> {
    await this.service.deliver();
    return this.poll(id, query);
  }
}

/** Queues clicks like the consumer of clicks. Returns the ids of the events. */
export async function queueClicks(service: Service, accountId: number, count: number, at: number): Promise<string[]> {
  const { active: subscribers = [] } = (await findSubscribers(env.DB, accountId, "link.click", Date.now())) ?? {};
  const ids = Array.from({ length: count }, () => newId(at));
  const messages = ids.flatMap((eventId) =>
    clickMessages(subscribers, { eventId, linkId: newId(at), tagKeys: [], data: {}, at }),
  );
  await queueClickEvents(service.bindings.CLICK_EVENTS as Queue, messages);
  return ids;
}

/** The ids of the links that the events are of. */
export function linksOf({ events }: Poll): string[] {
  return events.map(({ body }) => (JSON.parse(body) as { data: { id: string } }).data.id);
}
