import { setTimeout as pause } from "node:timers/promises";
import { TernError, type ListenerPoll, type Tern } from "@tern/sdk";
import { note, paintNote } from "../output/terminal.ts";

/** Seconds that the service waits for an event. */
const WAIT_SECONDS = 20;
/** Longer than the service waits. */
const POLL_TIMEOUT_MS = 30_000;
/** Pauses after failures: each is twice as long as the one before, and shortened at random. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 15_000;
/** The service asks for less; a proxy may ask for more. */
const LONGEST_RETRY_AFTER_SECONDS = 120;
/** Between polls that had events: at most 120 polls a minute are allowed. */
const BUSY_PAUSE_MS = 500;
/** A poll can have 100 events, too many at once for a program on a developer's machine. */
const MAX_EVENTS_IN_FLIGHT = 10;
/** Ids of events that were handled; the service may send an event twice. */
const MAX_REMEMBERED_EVENTS = 10_000;

export type ListenerEvent = ListenerPoll["events"][number];

/** What is polled: a listener and the cursor behind the events that were handled. */
interface Position {
  id: string;
  after?: string;
}

export interface EventLoop {
  client: Tern;
  signal: AbortSignal;
  /** Where to begin. */
  position: Position;
  /** Opens another listener once the service no longer has the one that was polled. */
  reopen: () => Promise<Position>;
  /** Resolves when the event is dealt with. Throws if the signal ends it before. */
  handle: (event: ListenerEvent) => Promise<void>;
  /** Called with the cursor behind events that were all dealt with. */
  advance: (after: string) => Promise<void>;
}

/** Polls for events until the signal, whatever happens to the connection and the service. Throws if the key is refused. */
export async function runEventLoop({ client, signal, position, reopen, handle, advance }: EventLoop): Promise<void> {
  const handled = new Set<string>();
  let current: Position | undefined = position;
  let failures = 0;
  while (!signal.aborted) {
    try {
      current ??= await reopen();
      const query = { wait: WAIT_SECONDS, ...(current.after !== undefined && { after: current.after }) };
      const poll = await client.listeners.poll(current.id, query, {
        signal,
        timeoutMs: POLL_TIMEOUT_MS,
        maxRetries: 0,
      });
      if (failures > 0) note(paintNote("green", "The service responds again."));
      failures = 0;
      if (poll.missed) note(paintNote("yellow", MISSED));
      const events = poll.events.filter((event) => isNew(handled, event));
      await handleAll(events, handle);
      current = { id: current.id, after: poll.next };
      await advance(poll.next);
      if (poll.events.length > 0) await pause(BUSY_PAUSE_MS, undefined, { signal });
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof TernError)) throw error;
      if (current !== undefined && error.code === "not_found") {
        note(paintNote("yellow", GONE));
        current = undefined;
        continue;
      }
      if (!mayPass(error)) throw error;
      if (failures === 0) note(paintNote("yellow", `${error.message} Trying again until it works.`));
      await pause(pauseMsAfter(failures, error), undefined, { signal }).catch(() => undefined);
      failures++;
    }
  }
}

const MISSED = "Some events are lost: the service keeps them for an hour, and about 10 MB of them.";
const GONE =
  "The service no longer has this listener. Events that were not received yet are lost. A new listener begins.";

/** Handles some events at a time, the oldest first. */
async function handleAll(events: ListenerEvent[], handle: EventLoop["handle"]): Promise<void> {
  const waiting = events.values();
  const handleNext = async () => {
    for (const event of waiting) await handle(event);
  };
  await Promise.all(Array.from({ length: MAX_EVENTS_IN_FLIGHT }, handleNext));
}

/**
 * Whether the failure is one of the connection or the service, and not of the request. What is no response of the service
 * comes from something between, such as the login page of a network. The limit of listeners is reached only while other
 * commands run.
 */
const mayPass = ({ status, code }: TernError): boolean =>
  status === 0 || status === 429 || status >= 500 || code === "unexpected_response" || code === "limit_reached";

function pauseMsAfter(failures: number, { retryAfter }: TernError): number {
  const longest = Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS);
  return Math.min(retryAfter ?? 0, LONGEST_RETRY_AFTER_SECONDS) * 1_000 + longest * (1 + Math.random()) * 0.5;
}

function isNew(handled: Set<string>, { id }: ListenerEvent): boolean {
  if (handled.has(id)) return false;
  handled.add(id);
  const [oldest] = handled;
  if (handled.size > MAX_REMEMBERED_EVENTS && oldest !== undefined) handled.delete(oldest);
  return true;
}
