import type { List } from "../list.ts";
import { Namespace, path } from "../namespace.ts";
import type { RequestOptions } from "../transport.ts";
import type {
  CreateListener,
  CreateWebhook,
  Delivery,
  DeliveryWithBodies,
  ListDeliveries,
  Listener,
  ListenerPoll,
  ListenerWithSecret,
  WebhookWithSecret,
  PageQuery,
  Ping,
  PollListener,
  RetryDeliveries,
  UpdateWebhook,
  Webhook,
} from "../types.ts";

export class Webhooks extends Namespace {
  create(webhook: CreateWebhook, options?: RequestOptions): Promise<WebhookWithSecret> {
    return this.one("webhook", "POST", "/api/webhooks", options, { body: webhook });
  }

  list(query?: PageQuery, options?: RequestOptions): List<"webhooks", Webhook> {
    return this.pages("webhooks", "/api/webhooks", options, query);
  }

  get(id: string, options?: RequestOptions): Promise<Webhook> {
    return this.one("webhook", "GET", path`/api/webhooks/${id}`, options);
  }

  update(id: string, changes: UpdateWebhook, options?: RequestOptions): Promise<Webhook> {
    return this.one("webhook", "PATCH", path`/api/webhooks/${id}`, options, { body: changes });
  }

  delete(id: string, options?: RequestOptions): Promise<void> {
    return this.remove(path`/api/webhooks/${id}`, options);
  }

  sendTestPing(id: string, options?: RequestOptions): Promise<Ping> {
    return this.json("POST", path`/api/webhooks/${id}`, options);
  }

  rotateSecret(id: string, options?: RequestOptions): Promise<WebhookWithSecret> {
    return this.one("webhook", "POST", path`/api/webhooks/${id}/rotate-secret`, options);
  }

  listDeliveries(id: string, query?: ListDeliveries, options?: RequestOptions): List<"deliveries", Delivery> {
    return this.pages("deliveries", path`/api/webhooks/${id}/deliveries`, options, query);
  }

  getDelivery(id: string, deliveryId: string, options?: RequestOptions): Promise<DeliveryWithBodies> {
    return this.one("delivery", "GET", path`/api/webhooks/${id}/deliveries/${deliveryId}`, options);
  }

  retryDelivery(id: string, deliveryId: string, options?: RequestOptions): Promise<Delivery> {
    return this.one("delivery", "POST", path`/api/webhooks/${id}/deliveries/${deliveryId}/retry`, options);
  }

  /** Sends failed deliveries again. The result is their number. */
  retryDeliveries(id: string, body: RetryDeliveries, options?: RequestOptions): Promise<number> {
    return this.one("retried", "POST", path`/api/webhooks/${id}/deliveries/retry`, options, { body });
  }
}

/** Receivers of events that have no URL. */
export class Listeners extends Namespace {
  create(listener: CreateListener, options?: RequestOptions): Promise<ListenerWithSecret> {
    return this.one("listener", "POST", "/api/listeners", options, { body: listener });
  }

  list(query?: PageQuery, options?: RequestOptions): List<"listeners", Listener> {
    return this.pages("listeners", "/api/listeners", options, query);
  }

  /** The events that have come, each as a webhook would receive it. */
  poll(id: string, query?: PollListener, options?: RequestOptions): Promise<ListenerPoll> {
    return this.json("GET", path`/api/listeners/${id}/events`, options, { query });
  }

  delete(id: string, options?: RequestOptions): Promise<void> {
    return this.remove(path`/api/listeners/${id}`, options);
  }
}
