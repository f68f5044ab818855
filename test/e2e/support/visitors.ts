import { Agent, request } from "node:http";
import type { Isolate } from "./service.ts";

/** A user agent, and the values that a click with it must have. */
interface Program {
  userAgent: string;
  device: string;
  browser: string;
  os: string;
  bot?: true;
}

const MAC = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)";
const IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)";
const CHROME = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0";
const LONG = "x".repeat(16_000);

const PROGRAMS: Program[] = [
  {
    userAgent: `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36`,
    device: "desktop",
    browser: "Chrome",
    os: "Windows",
  },
  {
    userAgent: `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36 Edg/141.0.0.0`,
    device: "desktop",
    browser: "Edge",
    os: "Windows",
  },
  {
    userAgent: `${MAC} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15`,
    device: "desktop",
    browser: "Safari",
    os: "macOS",
  },
  {
    userAgent: `${IPHONE} Version/18.6 Mobile/15E148 Safari/604.1`,
    device: "mobile",
    browser: "Safari",
    os: "iOS",
  },
  { userAgent: `${IPHONE} Mobile/15E148 Instagram 400.0.0`, device: "mobile", browser: "Instagram", os: "iOS" },
  {
    userAgent: `Mozilla/5.0 (Linux; Android 10; K) ${CHROME} Mobile Safari/537.36`,
    device: "mobile",
    browser: "Chrome",
    os: "Android",
  },
  {
    userAgent: `Mozilla/5.0 (Linux; Android 14; SM-X710) ${CHROME} Safari/537.36`,
    device: "tablet",
    browser: "Chrome",
    os: "Android",
  },
  {
    userAgent: `Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0 ${LONG}`,
    device: "desktop",
    browser: "Firefox",
    os: "Linux",
  },
  { userAgent: "curl/8.5.0", device: "other", browser: "curl", os: "other" },
  { userAgent: "python-requests/2.32.3", device: "other", browser: "python-requests", os: "other" },
  {
    userAgent: "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    device: "",
    browser: "",
    os: "",
    bot: true,
  },
  { userAgent: "facebookexternalhit/1.1", device: "", browser: "", os: "", bot: true },
];

const PLACES = [
  { country: "DE", regionCode: "BE", city: "Berlin", continent: "EU" },
  { country: "US", regionCode: "TX", city: "Austin", continent: "NA" },
  { country: "BR", regionCode: "SP", city: "São Paulo", continent: "SA" },
  { country: "IN", regionCode: "KA", city: "Bengaluru", continent: "AS" },
  { country: "JP", regionCode: "13", city: "東京", continent: "AS" },
  { country: "GB", city: "Llanfair\u{1F}pwllgwyngyll", continent: "EU" },
  { country: "XX" },
];

const REFERRERS: [header: string | null, host: string][] = [
  [null, "direct"],
  ["https://www.search.example/find?q=tern", "www.search.example"],
  ["https://social.example/a/b", "social.example"],
  [`https://long.example/${LONG}`, "long.example"],
  [`https://${LONG}`, "x".repeat(255)],
  ["no address", "direct"],
  ["android-app://com.example.mail/", "com.example.mail"],
];

/** Ways to request a short link. Without a trigger, the request is no click. */
const WAYS = [
  { method: "GET", query: "", headers: {}, trigger: "link" },
  { method: "GET", query: "", headers: {}, trigger: "link" },
  { method: "GET", query: "", headers: {}, trigger: "link" },
  { method: "GET", query: "?utm_source=print", headers: {}, trigger: "link" },
  { method: "GET", query: "?qr=1", headers: {}, trigger: "qr" },
  { method: "HEAD", query: "", headers: {}, trigger: null },
  { method: "GET", query: "", headers: { "Sec-Purpose": "prefetch;prerender" }, trigger: null },
];

export interface Target {
  id: string;
  slug: string;
}

/** The totals that analytics must return, of one link or of all. */
export class Expected {
  total = 0;
  bots = 0;
  readonly counts: Record<string, Record<string, number>> = {};
  readonly #visitors = new Set<string>();

  get unique(): number {
    return this.#visitors.size;
  }

  count(values: Record<string, string>, visitor: string): void {
    this.total++;
    this.#visitors.add(visitor);
    for (const [dimension, value] of Object.entries(values)) {
      const counts = (this.counts[dimension] ??= {});
      counts[value] = (counts[value] ?? 0) + 1;
    }
  }
}

/** A click as its visitor made it. */
export interface Followed {
  address: string;
  /** When the response arrived. Null: the connection broke, so the click may or may not have been captured. */
  answeredAt: number | null;
}

/** Visitors of all kinds, the same ones for the same seed, and the totals of what they do. */
export class Visitors {
  readonly all = new Expected();
  readonly byLink = new Map<string, Expected>();
  readonly #agent = new Agent({ keepAlive: true });
  #state: number;
  #day = 0;
  #addresses = 0;
  readonly #host: string;
  readonly #journal: Followed[] | undefined;

  /** With a journal, each click comes from its own address, and connections may break. */
  constructor(seed: number, host = "tern.test", journal?: Followed[]) {
    this.#state = seed;
    this.#host = host;
    this.#journal = journal;
  }

  /** Starts another day, on which all visitors are new. */
  sleep(): void {
    this.#day++;
  }

  /** Sends this number of requests, over eight connections for each isolate. */
  async follow(links: readonly Target[], isolates: readonly Isolate[], requests: number): Promise<void> {
    let left = requests;
    const connection = async (isolate: Isolate) => {
      while (left-- > 0) await this.#followOne(this.#one(links), isolate);
    };
    await Promise.all(isolates.flatMap((isolate) => Array.from({ length: 8 }, () => connection(isolate))));
  }

  stop(): void {
    this.#agent.destroy();
  }

  async #followOne(link: Target, isolate: Isolate): Promise<void> {
    const program = this.#one(PROGRAMS);
    const place = this.#one(PLACES);
    const [referrer, referrerHost] = this.#one(REFERRERS);
    const way = this.#one(WAYS);
    const ip = this.#journal === undefined ? `198.51.100.${this.#below(200)}` : this.#newAddress();
    const headers = {
      Host: this.#host,
      "CF-Connecting-IP": ip,
      // Headers are sent as bytes.
      "MF-CF-Blob": Buffer.from(JSON.stringify(place)).toString("latin1"),
      "User-Agent": program.userAgent,
      ...(referrer !== null && { Referer: referrer }),
      ...way.headers,
    };
    const visit = () => send(this.#agent, isolate.address, way.method, `/${link.slug}${way.query}`, headers);
    let status: number | null;
    // On a slow machine, the database may not respond in time. A redirect without a link is not a click.
    do status = await (this.#journal === undefined ? visit() : visit().catch(() => null));
    while (status === 503);
    if (way.trigger !== null)
      this.#journal?.push({ address: ip, answeredAt: status === null ? null : performance.now() });
    if (status === null) return;
    if (status !== 302) throw new Error(`/${link.slug} answered ${status}`);
    if (way.trigger === null) return;
    const ofLink = this.byLink.get(link.id) ?? new Expected();
    this.byLink.set(link.id, ofLink);
    const values = {
      countries: place.country === "XX" ? "unknown" : place.country,
      regions: place.regionCode === undefined ? "unknown" : `${place.country}-${place.regionCode}`,
      cities: place.city?.replace("\u{1F}", "") ?? "unknown",
      continents: place.continent ?? "unknown",
      devices: program.device,
      browsers: program.browser,
      os: program.os,
      referrers: referrerHost,
      triggers: way.trigger,
    };
    const visitor = `${this.#day} ${link.id} ${ip} ${program.userAgent}`;
    for (const books of [this.all, ofLink]) {
      if (program.bot) books.bots++;
      else books.count(values, visitor);
    }
  }

  #newAddress(): string {
    this.#addresses++;
    return `2001:db8::${(this.#addresses >> 16).toString(16)}:${(this.#addresses & 65_535).toString(16)}`;
  }

  #one<T>(choices: readonly T[]): T {
    const choice = choices[this.#below(choices.length)];
    if (choice === undefined) throw new Error("nothing to choose from");
    return choice;
  }

  // The random number generator of Park and Miller.
  #below(limit: number): number {
    this.#state = (this.#state * 48_271) % 2_147_483_647;
    return this.#state % limit;
  }
}

function send(
  agent: Agent,
  address: URL,
  method: string,
  path: string,
  headers: Record<string, string>,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request({ agent, host: address.hostname, port: address.port, method, path, headers }, (response) => {
      response.resume();
      response.on("error", reject);
      response.on("end", () => resolve(response.statusCode ?? 0));
    });
    sent.on("error", reject);
    sent.end();
  });
}
