import type { Domain } from "../../src/domains/contract.ts";
import type { Link } from "../../src/links/contract.ts";
import { call, type MeteredServer, type Meters } from "../metered/server.ts";
import { NOW } from "../metered/year.ts";
import { domainOf } from "./population.ts";

export interface Person {
  accountId: number;
  key: string;
}

export interface Subject {
  server: MeteredServer;
  /** Has links, a domain and no webhook. */
  ann: Person;
  /** Has a webhook, and events in the past. */
  bob: Person;
}

/** What each operation costs. */
export type Costs = Record<string, Cost>;

/** What the databases are asked: D1, and the ClickLogs' own. */
type Cost = Pick<
  Meters,
  "databaseRoundTrips" | "databaseRowsRead" | "databaseRowsWritten" | "logRowsRead" | "logRowsWritten"
>;

/** Leaves out what does not grow: that of rate limits and queues. */
export function toCost(meters: Meters): Cost {
  const { databaseRoundTrips, databaseRowsRead, databaseRowsWritten, logRowsRead, logRowsWritten } = meters;
  return { databaseRoundTrips, databaseRowsRead, databaseRowsWritten, logRowsRead, logRowsWritten };
}

/** Reads all links that have it, by design: each pair of an order and a filter would need an index of its own. */
export const SORTED_AND_FILTERED = "in order of clicks, with a tag that most have";

const BULK = 100;
/** Between rounds: whatever an isolate remembers is out of date by then. */
const ROUND_MS = 60_000;

/** The operations in one order, each at its own millisecond; all that they make is gone afterwards. */
export class Operations {
  readonly costs: Costs = {};
  readonly #subject: Subject;
  readonly #round: number;
  #time: number;

  constructor(subject: Subject, round: number) {
    this.#subject = subject;
    this.#round = round;
    this.#time = NOW + round * ROUND_MS;
  }

  async run(): Promise<Costs> {
    // The first use of a key in a second is written, and the first alarm of a ClickLog; clicks that are not yet told of
    // are counted.
    await this.#step();
    for (const { key } of [this.#subject.ann, this.#subject.bob]) await this.#call(key, "GET", "/api/links?limit=1");
    const { link } = await this.#ann<{ link: Link }>("POST", "/api/links", { url: "https://example.com/" });
    await this.#ann("DELETE", `/api/links/${link.id}`);
    await this.#redirect();
    await this.#oneLink();
    await this.#lists();
    await this.#manyLinks();
    await this.#domains();
    await this.#webhooks();
    await this.#cron();
    return this.costs;
  }

  async #step(ms = 1): Promise<void> {
    this.#time += ms;
    await this.#subject.server.control({ stopAt: this.#time });
  }

  async #measure(name: string, run: () => Promise<unknown>): Promise<void> {
    await this.#step();
    this.costs[name] = toCost(await this.#subject.server.measure(run));
  }

  async #call<T>(key: string, method: string, path: string, body?: object): Promise<T> {
    return (await call(this.#subject.server, key, method, path, body)).json() as T;
  }

  #ann<T>(method: string, path: string, body?: object): Promise<T> {
    return this.#call(this.#subject.ann.key, method, path, body);
  }

  async #redirect(): Promise<void> {
    const { server, ann } = this.#subject;
    const pick = async (domain: string) => {
      const sql = `SELECT slug FROM links WHERE account_id = ?1 AND domain = ?2 AND status = 'active' AND max_clicks IS NULL
        ORDER BY seq LIMIT 1 OFFSET ?3`;
      return server.db.prepare(sql).bind(ann.accountId, domain, this.#round).first<string>("slug");
    };
    const visit = async (path: string, status: number, host = "tern.test") => {
      // Browsers that prepare for a click: none is recorded.
      const answer = await server.request("GET", path, { Host: host, "Sec-Purpose": "prefetch" });
      if (answer.status !== status) throw new Error(`${host}${path}: ${answer.status}`);
    };
    const slugs = { "": await pick(""), own: await pick(domainOf(ann.accountId)) };
    await this.#measure("redirect, cold", () => visit(`/${slugs[""]}`, 302));
    await this.#measure("redirect, hot", () => visit(`/${slugs[""]}`, 302));
    await this.#measure("redirect at a custom domain, cold", () =>
      visit(`/${slugs.own}`, 302, domainOf(ann.accountId)),
    );
    await this.#measure("an unknown slug", () => visit(`/nowhere-${this.#round}`, 404));
  }

  async #oneLink(): Promise<void> {
    const fields = { url: "https://example.com/", tags: ["needle", "common"], title: "Thimble" };
    const external = { externalId: `round-${this.#round}` };
    let link: Link | undefined;
    await this.#measure("authenticate, with the list of keys", () => this.#ann("GET", "/api/keys"));
    await this.#measure("create a link", async () => {
      ({ link } = await this.#ann<{ link: Link }>("POST", "/api/links", { ...fields, ...external }));
    });
    const path = `/api/links/${link?.id}`;
    await this.#measure("get it", () => this.#ann("GET", path));
    await this.#measure("change its title", () => this.#ann("PATCH", path, { title: "Pincushion" }));
    await this.#measure("change its slug and tags", () =>
      this.#ann("PATCH", path, { slug: `moved-${this.#round}`, tags: ["needle"] }),
    );
    await this.#measure("upsert it", () => this.#ann("PUT", "/api/links/upsert", { ...fields, ...external }));
    await this.#measure("delete it", () => this.#ann("DELETE", path));
    await this.#measure("upsert one that is not there", async () => {
      ({ link } = await this.#ann<{ link: Link }>("PUT", "/api/links/upsert", { ...fields, ...external }));
    });
    await this.#ann("DELETE", `/api/links/${link?.id}`);
    await this.#measure("shorten", async () => {
      ({ link } = await this.#ann<{ link: Link }>("POST", "/api/shorten", { url: "https://example.com/" }));
    });
    await this.#ann("DELETE", `/api/links/${link?.id}`);
    const { server } = this.#subject;
    await this.#measure("shorten without a key", () =>
      server.request("POST", "/api/shorten", {}, { url: "https://example.com/" }),
    );
  }

  async #lists(): Promise<void> {
    const { server, ann } = this.#subject;
    const needle = await this.#ann<{ link: Link }>("POST", "/api/links", {
      url: "https://example.com/haystack",
      slug: `thimble-${this.#round}`,
      tags: ["needle", "common"],
    });
    const domain = domainOf(ann.accountId);
    for (const [name, query] of [
      ["a page of 100 links", ""],
      ["the same, oldest first", "&order=asc"],
      ["with status=active", "&status=active"],
      ["with status=expired", "&status=expired"],
      ["with a domain", `&domain=${domain}`],
      ["with a tag that most have", "&tag=common"],
      ["with a tag that one has", "&tag=needle"],
      ["with words that most have", "&search=www.shop"],
      ["with words that one has", "&search=haystack"],
      ["with all of these", `&search=www.shop&tag=common&status=active&domain=${domain}`],
      ["in order of clicks", "&sort=clicks"],
      ["in order of the last click", "&sort=lastClickedAt"],
      ["page 10 by its number", "&page=10"],
      ["in order of clicks, with a tag that one has", "&sort=clicks&tag=needle"],
      [SORTED_AND_FILTERED, "&sort=clicks&tag=common"],
    ] as const) {
      await this.#measure(name, () => this.#ann("GET", `/api/links?limit=100${query}`));
    }
    const { nextCursor } = await this.#ann<{ nextCursor: string }>("GET", "/api/links?limit=100");
    const middle = await server.db
      .prepare(
        "SELECT id FROM links WHERE account_id = ?1 ORDER BY seq LIMIT 1 OFFSET (SELECT count(*) / 2 FROM links WHERE account_id = ?1)",
      )
      .bind(ann.accountId)
      .first<string>("id");
    const [order = ""] = atob(nextCursor).split(":");
    const cursor = btoa(`${order}:${middle}`).replaceAll("=", "");
    await this.#measure("a page in the middle, by cursor", () =>
      this.#ann("GET", `/api/links?limit=100&cursor=${cursor}`),
    );
    await this.#ann("DELETE", `/api/links/${needle.link.id}`);
  }

  async #manyLinks(): Promise<void> {
    const links = Array.from({ length: BULK }, (_, n) => ({
      url: `https://host-${n}.example/`,
      slug: `bulk-${this.#round}-${n}`,
      externalId: `bulk-${this.#round}-${n}`,
    }));
    let ids: string[] = [];
    await this.#measure("create 100 links at once", async () => {
      const { results } = await this.#ann<{ results: { link: Link }[] }>("POST", "/api/links/bulk", { links });
      ids = results.map(({ link }) => link.id);
    });
    const changes = { title: "x" };
    await this.#measure("change 100", () => this.#ann("PATCH", "/api/links/bulk", { ids, changes }));
    await this.#measure("delete 100", () => this.#ann("DELETE", "/api/links/bulk", { ids }));
  }

  async #domains(): Promise<void> {
    const { server } = this.#subject;
    let added: Domain | undefined;
    await this.#measure("list domains", () => this.#ann("GET", "/api/domains"));
    await this.#measure("add a domain", async () => {
      const body = { domain: `round-${this.#round}.acme.com` };
      ({ domain: added } = await this.#ann<{ domain: Domain }>("POST", "/api/domains/add", body));
    });
    const proof = added?.records.find(({ type }) => type === "TXT");
    if (added === undefined || proof?.type !== "TXT") throw new Error("no domain, or none with a TXT record");
    await server.publish({ [`TXT ${proof.name}`]: [`"${proof.value}"`] });
    await this.#measure("verify it", () => this.#ann("POST", `/api/domains/${added?.id}/verify`));
    await this.#measure("delete it again", () => this.#ann("DELETE", `/api/domains/${added?.id}`));
  }

  async #webhooks(): Promise<void> {
    const { server, bob } = this.#subject;
    const { webhooks } = await this.#call<{ webhooks: { id: string }[] }>(bob.key, "GET", "/api/webhooks");
    const path = `/api/webhooks/${webhooks[0]?.id}`;
    await this.#measure("list webhooks", () => this.#call(bob.key, "GET", "/api/webhooks"));
    await this.#measure("a page of 100 deliveries", () => this.#call(bob.key, "GET", `${path}/deliveries?limit=100`));
    await this.#measure("create a link that a webhook is told of", async () => {
      await this.#call(bob.key, "POST", "/api/links", { url: "https://example.com/" });
    });
    await this.#measure("deliver that event", () => server.control({ deliver: true }));
  }

  async #cron(): Promise<void> {
    const { server } = this.#subject;
    // Whatever was deleted is forgotten.
    await server.control({ cron: true });
    await this.#measure("the cron, with nothing to do", () => server.control({ cron: true }));
    const links = Array.from({ length: 10 }, () => ({ url: "https://example.com/", expiresAt: this.#time + 1_000 }));
    const { results } = await this.#ann<{ results: { link: Link }[] }>("POST", "/api/links/bulk", { links });
    await this.#step(2_000);
    await this.#measure("the cron, with 10 links to expire", () => server.control({ cron: true }));
    await this.#ann("DELETE", "/api/links/bulk", { ids: results.map(({ link }) => link.id) });
    await server.control({ cron: true });
  }
}
