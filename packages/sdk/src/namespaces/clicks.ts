import type { List } from "../list.ts";
import { Namespace, path } from "../namespace.ts";
import type { RequestOptions } from "../transport.ts";
import type {
  ClickRecord,
  Clicks as Totals,
  CreateSharedPage,
  EnterSharedPassword,
  GetClicks,
  GetLinkClicks,
  ListClicks,
  ListLinkClicks,
  LiveSocket,
  PageQuery,
  SharedClicks,
  SharedPage,
  UpdateSharedPage,
  ViewedPage,
  WatchClicks,
} from "../types.ts";

export class Clicks extends Namespace {
  /** The totals of all links. */
  get(query?: GetClicks, options?: RequestOptions): Promise<Totals> {
    return this.one("clicks", "GET", "/api/clicks", options, { query });
  }

  getForLink(linkId: string, query?: GetLinkClicks, options?: RequestOptions): Promise<Totals> {
    return this.one("clicks", "GET", path`/api/links/${linkId}/clicks`, options, { query });
  }

  /** Single clicks, the newest first. */
  list(query?: ListClicks, options?: RequestOptions): List<"records", ClickRecord, Pick<Totals, "detailFrom">> {
    return this.pages("records", "/api/clicks/records", options, query);
  }

  listForLink(
    linkId: string,
    query?: ListLinkClicks,
    options?: RequestOptions,
  ): List<"records", ClickRecord, Pick<Totals, "detailFrom">> {
    return this.pages("records", path`/api/links/${linkId}/clicks/records`, options, query);
  }

  /** A WebSocket with new clicks, where the runtime can send headers with one: Node 22 and newer, Deno and Bun. */
  watch(query?: WatchClicks): LiveSocket {
    return this.socket("/api/clicks/live", query);
  }
}

export class SharedPages extends Namespace {
  create(page: CreateSharedPage, options?: RequestOptions): Promise<SharedPage> {
    return this.one("sharedPage", "POST", "/api/shared-pages", options, { body: page });
  }

  list(query?: PageQuery, options?: RequestOptions): List<"sharedPages", SharedPage> {
    return this.pages("sharedPages", "/api/shared-pages", options, query);
  }

  get(id: string, options?: RequestOptions): Promise<SharedPage> {
    return this.one("sharedPage", "GET", path`/api/shared-pages/${id}`, options);
  }

  update(id: string, changes: UpdateSharedPage, options?: RequestOptions): Promise<SharedPage> {
    return this.one("sharedPage", "PATCH", path`/api/shared-pages/${id}`, options, { body: changes });
  }

  delete(id: string, options?: RequestOptions): Promise<void> {
    return this.remove(path`/api/shared-pages/${id}`, options);
  }

  /** As viewers see it. The token is the last part of the page's URL. */
  view(token: string, options?: RequestOptions): Promise<ViewedPage> {
    return this.one("page", "GET", path`/api/shared/${token}`, options);
  }

  /** The response has the cookie that opens the page. */
  enterPassword(token: string, body: EnterSharedPassword, options?: RequestOptions): Promise<Response> {
    return this.file("POST", path`/api/shared/${token}/password`, options, { body });
  }

  getClicks(token: string, query?: GetLinkClicks, options?: RequestOptions): Promise<SharedClicks> {
    return this.one("clicks", "GET", path`/api/shared/${token}/clicks`, options, { query });
  }
}
