import { describeError, log } from "../../platform/lib/log.ts";
import { MAX_LIVE_SOCKETS_PER_ACCOUNT, MAX_LIVE_SOCKETS_PER_CREDENTIAL } from "../../limits.ts";
import type { LinkDaySegment } from "./encoding.ts";
import { LiveFeed, type View, type Viewer } from "./live-viewer.ts";
import { LIVE_RIGHT_TTL_MS } from "../limits.ts";
import { credentialAllows } from "../../platform/auth/credential.ts";
import { Batch, addCheck } from "../../platform/database/batch.ts";

/** The codes with which the service closes a WebSocket for live clicks. Documented in docs/api/live-clicks.md. */
export const LIVE_CLOSE_CODES = { expired: 4000, notAllowed: 4001 } as const;

/** Why a WebSocket was not accepted. `unknown`: its view is not stored. */
export type LiveRefusal = "account" | "credential" | "unknown";

/** A WebSocket that is open, with what it shows. */
interface Watching {
  id: string;
  socket: WebSocket;
  view: View;
  feed: LiveFeed;
}

const VIEW_PREFIX = "live:";
const PING = "ping";
const PONG = "pong";
const RIGHT_ENDED = "The right to read these clicks has ended.";

/**
 * The WebSockets of a ClickLog that show new clicks. They hibernate: views are in storage, so that they outlive the
 * memory, and nothing here waits for a time. Clicks that were not sent yet are only in memory.
 */
export class LiveClicks {
  readonly #ctx: DurableObjectState;
  readonly #db: D1Database;
  readonly #watching = new Map<string, Pick<Watching, "view" | "feed">>();
  #isSending = false;

  constructor(ctx: DurableObjectState, db: D1Database) {
    this.#ctx = ctx;
    this.#db = db;
  }

  /** Stores what the WebSocket with this id will show. */
  announce(id: string, view: View): void {
    this.#ctx.storage.kv.put<View>(VIEW_PREFIX + id, view);
  }

  /** Accepts the WebSocket of an announced view. Otherwise the status is 409, and the body a {@link LiveRefusal}. */
  accept(id: string, now: number): Response {
    const open = this.#closeExpired(now);
    this.#forgetAbandoned(now);
    const view = this.#ctx.storage.kv.get<View>(VIEW_PREFIX + id);
    const refusal = refusalOf(view, open);
    if (view === undefined || refusal !== null) {
      this.forget(id);
      return new Response(refusal, { status: 409 });
    }
    const { 0: client, 1: server } = new WebSocketPair();
    this.#ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair(PING, PONG));
    this.#ctx.acceptWebSocket(server);
    server.serializeAttachment(id);
    server.send(JSON.stringify({ expiresAt: view.expiresAt }));
    return new Response(null, { status: 101, webSocket: client });
  }

  /** Sends new clicks to those who may see them, and closes the WebSockets of the others. Clicks of deleted links are left out. */
  async publish(clicks: readonly LinkDaySegment[], deletedLinks: ReadonlySet<string>, now: number): Promise<void> {
    const open = this.#closeExpired(now);
    for (const { feed } of open) for (const segment of clicks) feed.add(segment, deletedLinks);
    // The call that is waiting for the database sends these clicks too.
    if (this.#isSending || !open.some(({ feed }) => feed.isDue(now))) return;
    this.#isSending = true;
    try {
      await this.#renewRights(open, now);
      this.#send(Date.now());
    } catch (error) {
      // The clicks stay for the next message.
      log("warn", "live_clicks_failed", describeError(error));
    } finally {
      this.#isSending = false;
    }
  }

  /** Asks the database who may still watch, if the last answer is too old for somebody who is to get a message. */
  async #renewRights(open: readonly Watching[], now: number): Promise<void> {
    const [first] = open;
    if (first === undefined || !open.some(({ feed, view }) => feed.isDue(now) && !isFresh(view, now))) return;
    const viewers = open.map(({ view }) => view.viewer);
    const allowed = await findAllowedViewers(this.#db, first.view.accountId, viewers, now);
    for (const watching of open) {
      if (allowed.has(watching.view.viewer.id)) watching.view.allowedAt = now;
      else this.#close(watching, LIVE_CLOSE_CODES.notAllowed, RIGHT_ENDED);
    }
  }

  #send(now: number): void {
    for (const { socket, view, feed } of this.#closeExpired(now)) {
      if (feed.isDue(now) && isFresh(view, now)) socket.send(JSON.stringify(feed.take(now)));
    }
  }

  /** Closes the WebSockets whose time is over and returns the others. */
  #closeExpired(now: number): Watching[] {
    const open = this.#openSockets();
    const isOver = ({ view }: Watching) => view.expiresAt <= now;
    for (const watching of open.filter(isOver))
      this.#close(watching, LIVE_CLOSE_CODES.expired, "Its time is over. Open another WebSocket.");
    return open.filter((watching) => !isOver(watching));
  }

  #openSockets(): Watching[] {
    return this.#ctx.getWebSockets().flatMap((socket) => {
      if (socket.readyState !== WebSocket.OPEN) return [];
      const id = socket.deserializeAttachment() as string;
      const known = this.#watching.get(id) ?? this.#load(id);
      return known === null ? [] : [{ id, socket, ...known }];
    });
  }

  #load(id: string): Pick<Watching, "view" | "feed"> | null {
    const view = this.#ctx.storage.kv.get<View>(VIEW_PREFIX + id);
    if (view === undefined) return null;
    const known = { view, feed: new LiveFeed(view) };
    this.#watching.set(id, known);
    return known;
  }

  #close({ id, socket }: Watching, code: number, reason: string): void {
    this.forget(id);
    if (socket.readyState === WebSocket.OPEN) socket.close(code, reason);
  }

  /** Closes all WebSockets, because their account is deleted. */
  closeAll(): void {
    for (const watching of this.#openSockets()) this.#close(watching, LIVE_CLOSE_CODES.notAllowed, RIGHT_ENDED);
  }

  /** For a WebSocket that is closed. */
  forget(id: string): void {
    this.#watching.delete(id);
    this.#ctx.storage.kv.delete(VIEW_PREFIX + id);
  }

  /** Deletes views whose WebSocket was never opened, or whose end was never reported. */
  #forgetAbandoned(now: number): void {
    for (const [key, { expiresAt }] of this.#ctx.storage.kv.list<View>({ prefix: VIEW_PREFIX }))
      if (expiresAt <= now) this.forget(key.slice(VIEW_PREFIX.length));
  }
}

function isFresh({ allowedAt }: View, now: number): boolean {
  return now - allowedAt < LIVE_RIGHT_TTL_MS;
}

function refusalOf(view: View | undefined, open: readonly Watching[]): LiveRefusal | null {
  if (view === undefined) return "unknown";
  if (open.length >= MAX_LIVE_SOCKETS_PER_ACCOUNT) return "account";
  const own = open.filter((other) => other.view.viewer.id === view.viewer.id);
  return own.length >= MAX_LIVE_SOCKETS_PER_CREDENTIAL ? "credential" : null;
}

/** Returns the ids of those viewers who may read the account's clicks now. One round trip to the primary database. */
async function findAllowedViewers(
  db: D1Database,
  accountId: number,
  viewers: readonly Viewer[],
  now: number,
): Promise<Set<string>> {
  const byId = new Map(viewers.map((viewer) => [viewer.id, viewer]));
  const batch = new Batch(db);
  const checks = [...byId].map(
    ([id, viewer]) => [id, addCheck(batch, credentialAllows(accountId, viewer, ["clicks:read"], now))] as const,
  );
  await batch.commitWithRetry();
  return new Set(checks.flatMap(([id, check]) => (check.first === undefined ? [] : [id])));
}
