import type { RequestOptions, Tern } from "@tern/sdk";

/** A receiver of events that polls for them. */
export interface Listener {
  id: string;
  secret: string;
}

export interface ListenerEvent {
  id: string;
  /** As a webhook would get them, with the signatures. */
  headers: Record<string, string>;
  /** The bytes that are signed, as text. */
  body: string;
}

export interface ListenerPoll {
  events: ListenerEvent[];
  /** The cursor behind them. */
  next: string;
  /** Whether events before them are no longer kept. */
  missed: boolean;
}

export async function createListenerAt(client: Tern, events: string[]): Promise<Listener> {
  const { listener } = await client.request<{ listener: Listener }>("POST", "/api/listeners", { body: { events } });
  return listener;
}

/** Waits up to `wait` seconds for events behind the cursor `after`. */
export function pollListener(
  client: Tern,
  id: string,
  query: { after?: string; wait?: number },
  options?: RequestOptions,
): Promise<ListenerPoll> {
  return client.request("GET", `/api/listeners/${id}/events`, { ...options, query });
}

export async function deleteListener(client: Tern, id: string, options?: RequestOptions): Promise<void> {
  await client.request("DELETE", `/api/listeners/${id}`, options);
}
