import { setTimeout as pause } from "node:timers/promises";
import { TernError, type ListenerPoll, type Tern } from "@tern/sdk";
import { note, paintNote } from "../output/terminal.ts";

/** Seconds that the service waits for an event. */
const WAIT_SECONDS = 20;
/** Longer than the service waits. */
const POLL_TIMEOUT_MS = 30_000;
const RECONNECT_PAUSE_MS = 1_000;
/** Between polls that had events: at most 120 polls a minute are allowed. */
const BUSY_PAUSE_MS = 500;
/** Ids of events that were handled; the service may send an event twice. */
const MAX_REMEMBERED_EVENTS = 10_000;

export type ListenerEvent = ListenerPoll["events"][number];

export interface EventLoop {
  client: Tern;
  signal: AbortSignal;
  /** Returns the id of the listener to poll, after `gone` a new one. */
  listenerId: (gone: boolean) => Promise<string>;
  /** The cursor to begin with. */
  after: string | undefined;
  /** Resolves when the event is dealt with. */
  handle: (event: ListenerEvent) => Promise<void>;
  /** Called with the cursor behind events that were all dealt with. */
  advance: (after: string | undefined) => void;
}

/** Polls for events until the signal, whatever happens to the connection and the service. Throws if the key is refused. */
export async function runEventLoop(loop: EventLoop): Promise<void> {
  const { client, signal, handle, advance } = loop;
  const handled = new Set<string>();
  let { after } = loop;
  let id = await loop.listenerId(false);
  let isConnected = true;
  while (!signal.aborted) {
    try {
      const query = { wait: WAIT_SECONDS, ...(after !== undefined && { after }) };
      const poll = await client.listeners.poll(id, query, { signal, timeoutMs: POLL_TIMEOUT_MS, maxRetries: 0 });
      if (!isConnected) note(paintNote("green", "The service responds again."));
      isConnected = true;
      if (poll.missed) note(paintNote("yellow", "Some events were older than an hour, and are lost."));
      await Promise.all(poll.events.filter((event) => isNew(handled, event)).map(handle));
      after = poll.next;
      advance(after);
      if (poll.events.length > 0) await pause(BUSY_PAUSE_MS, undefined, { signal });
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof TernError)) throw error;
      if (isGone(error)) {
        note(
          paintNote("yellow", "The listener was not polled for an hour. Events since then are lost; a new one begins."),
        );
        id = await loop.listenerId(true);
        after = undefined;
        continue;
      }
      if (!mayPass(error)) throw error;
      if (isConnected) note(paintNote("yellow", `${error.message} Trying again until it works.`));
      isConnected = false;
      await pause((error.retryAfter ?? 0) * 1_000 || RECONNECT_PAUSE_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}

const isGone = ({ code }: TernError): boolean => code === "not_found";

/** Whether the failure is one of the connection or the service, and not of the request. */
const mayPass = ({ status }: TernError): boolean => status === 0 || status === 429 || status >= 500;

function isNew(handled: Set<string>, { id }: ListenerEvent): boolean {
  if (handled.has(id)) return false;
  handled.add(id);
  const [oldest] = handled;
  if (handled.size > MAX_REMEMBERED_EVENTS && oldest !== undefined) handled.delete(oldest);
  return true;
}
