import { DurableObject } from "cloudflare:workers";
import { DAY_MS } from "../../limits.ts";
import type { StoredClick } from "../click-record.ts";
import type { AggregateQuery, Totals } from "./aggregate.ts";
import type { BackedUpRow, BackupCursor, BackupPage, KeyCheck } from "./backup.ts";
import type { DetailFrom } from "./detail.ts";
import type { ExportCursor, ExportPage, ExportQuery, Exports, ExportStart } from "./exports.ts";
import type { LiveClicks } from "./live.ts";
import type { View } from "./live-viewer.ts";
import type { RecordQuery } from "./records.ts";
import type { RollupPage } from "./rollup-pages.ts";
import { oldestDay } from "./rows.ts";
import type { LinkSelection } from "./selected-rows.ts";
import type { OrphanPaths } from "./orphan-visits.ts";
import type { RequestFilter, RequestPage } from "./request-log.ts";

/** The calls of a ClickLog that change no clicks. */
export abstract class ClickLogReader extends DurableObject<Env> {
  #exports: Exports | null = null;
  #live: LiveClicks | null = null;

  /** The start of the oldest day that has clicks, Unix milliseconds; null: there are none. */
  firstClickAt(): number | null {
    const day = oldestDay(this.ctx.storage.sql);
    return day === null ? null : day * DAY_MS;
  }

  /** From when on which details of clicks are stored. */
  async detailFrom(): Promise<DetailFrom> {
    const { readDetailFrom } = await import("./detail.ts");
    return readDetailFrom(this.ctx.storage, this.env, Date.now());
  }

  async aggregate(links: LinkSelection, query: AggregateQuery): Promise<Totals> {
    const { aggregateClicks } = await import("./queries.ts");
    return aggregateClicks(this.ctx.storage.sql, links, query, Date.now());
  }

  async listRecords(query: RecordQuery): Promise<StoredClick[]> {
    const { listRecords } = await import("./records.ts");
    return listRecords(this.ctx.storage, this.env, query, Date.now());
  }

  /** Single clicks of the period's days, without crawlers. Stops above `max`; null: there is none. */
  async countExport(query: ExportQuery, max: number | null = null): Promise<number> {
    return (await this.#loadExports()).count(query, Date.now(), max ?? Infinity);
  }

  async beginExport(id: string, query: ExportQuery): Promise<ExportStart> {
    return (await this.#loadExports()).begin(id, query, Date.now());
  }

  async readExport(id: string, query: ExportQuery, after: ExportCursor | null): Promise<ExportPage> {
    return (await this.#loadExports()).read(id, query, after, Date.now());
  }

  async endExport(id: string): Promise<void> {
    (await this.#loadExports()).end(id);
  }

  /** The clicks that are only counted, from those after a row on. */
  async readRollups(after: ExportCursor | null): Promise<RollupPage> {
    const { readRollupPage } = await import("./rollup-pages.ts");
    return readRollupPage(this.ctx.storage.sql, after);
  }

  /** Visits of paths that a custom domain does not have, on the last `days` UTC days. */
  async readOrphanVisits(domain: string, days: number): Promise<OrphanPaths> {
    const { readOrphanVisits } = await import("./orphan-visits.ts");
    return readOrphanVisits(this.ctx.storage.kv, domain, days, Date.now());
  }

  /** API requests of the account's keys that match, the newest first, after the position `after`. */
  async readRequests(filter: RequestFilter, after: string | null, limit: number): Promise<RequestPage> {
    const { readRequests } = await import("./request-log.ts");
    return readRequests(this.ctx.storage.kv, filter, { after, limit }, Date.now());
  }

  async #loadExports(): Promise<Exports> {
    const { Exports } = await import("./exports.ts");
    return (this.#exports ??= new Exports(this.ctx.storage, this.env));
  }

  /** For `npm run backup`: the rows after `after`. */
  async exportClicks(after: BackupCursor | null): Promise<BackupPage> {
    const { exportRows } = await import("./backup.ts");
    return exportRows(this.ctx.storage.sql, after);
  }

  /** The first rows of a link, for the ClickLog of the account that has claimed it. */
  async readLink(link: string): Promise<BackedUpRow[]> {
    const { readLinkRows } = await import("./adopt.ts");
    return readLinkRows(this.ctx.storage.sql, link, Date.now());
  }

  /** For `npm run backup`, which cannot read the keys: one check for each key. */
  async makeKeyChecks(): Promise<KeyCheck[]> {
    const { makeKeyChecks } = await import("./backup.ts");
    return makeKeyChecks(this.env.ENCRYPTION_KEYS);
  }

  /** For `npm run restore`: the ids of the keys that are missing here. */
  async findMissingKeys(checks: KeyCheck[]): Promise<string[]> {
    const { findMissingKeys } = await import("./backup.ts");
    return findMissingKeys(this.env.ENCRYPTION_KEYS, checks);
  }

  /** All clicks of a claimed link are adopted. */
  async endAdoption(link: string): Promise<void> {
    const { forgetAdoption } = await import("./adopt.ts");
    forgetAdoption(this.ctx.storage.kv, link);
  }

  /** Stores what the WebSocket with this id will show. {@link fetch} opens it. */
  async announceView(id: string, view: View): Promise<void> {
    (await this.loadLive()).announce(id, view);
  }

  /** Opens the WebSocket whose id is the path of the URL. WebSockets do not travel over RPC. */
  override async fetch(request: Request): Promise<Response> {
    return (await this.loadLive()).accept(new URL(request.url).pathname.slice(1), Date.now());
  }

  /** The client has closed it, or the connection is lost. */
  override async webSocketClose(socket: WebSocket): Promise<void> {
    socket.close();
    (await this.loadLive()).forget(socket.deserializeAttachment() as string);
  }

  protected async loadLive(): Promise<LiveClicks> {
    const { LiveClicks } = await import("./live.ts");
    return (this.#live ??= new LiveClicks(this.ctx, this.env.DB));
  }

  /** Clients may only send pings, which the runtime answers without this object. */
  override webSocketMessage(socket: WebSocket): void {
    socket.close(1008, "Only ping may be sent.");
  }
}
