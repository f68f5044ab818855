import { clickLogName } from "./log-name.ts";
import { BY_QR, type Visit } from "./visit.ts";

/** Visits of one isolate in a quarter of a second, all for the same ClickLog. */
export interface VisitBatch {
  /** UUID. Whoever meets it a second time has counted its visits already. */
  id: string;
  /** The name of the ClickLog. */
  log: string;
  accountId: number | null;
  /** The values of all visits, a line each: one text is quicker to carry than a thousand small ones. */
  visits: string;
}

/** What is in the queue. */
export type VisitMessage = VisitBatch[];

/** What comes after the visitor's address and user agent, in one value, since few of them differ in it. */
const ORIGIN_SEPARATOR = "\t";
const VALUES_PER_VISIT = 5;

/** A message that is being filled. */
export class Draft {
  /** By account, or by link where that belongs to nobody. */
  readonly #batches = new Map<number | string, { accountId: number | null; linkId: string; lines: string[] }>();
  #visits = 0;
  #chars = 0;
  #since = 0;

  get visits(): number {
    return this.#visits;
  }

  /** Of its texts. */
  get chars(): number {
    return this.#chars;
  }

  /** When the first visit was, Unix milliseconds. */
  get since(): number {
    return this.#since;
  }

  add(visit: Visit): void {
    const [at, linkId, accountId] = visit;
    if (this.#visits === 0) this.#since = at;
    let batch = this.#batches.get(accountId ?? linkId);
    if (batch === undefined) {
      batch = { accountId, linkId, lines: [] };
      this.#batches.set(accountId ?? linkId, batch);
      this.#chars += CHARS_PER_BATCH;
    }
    const line = toLine(visit);
    batch.lines.push(line);
    this.#visits++;
    this.#chars += line.length + 1;
  }

  toMessage(): VisitMessage {
    return [...this.#batches.values()].map(({ accountId, linkId, lines }) => ({
      id: crypto.randomUUID(),
      log: clickLogName(accountId, linkId),
      accountId,
      visits: lines.join("\n"),
    }));
  }
}

/** About what a batch takes in a message besides its visits. */
const CHARS_PER_BATCH = 150;

function toLine(visit: Visit): string {
  const [at, linkId, , ip, userAgent, referrer, country, region, city, continent, trigger] = visit;
  const origin = [trigger, country, region, city, continent, referrer].join(ORIGIN_SEPARATOR);
  return [at, linkId, ip, userAgent, origin].join("\n");
}

/** A visit as it is in a {@link VisitBatch}. */
export interface SentVisit {
  /** Unix milliseconds. */
  at: number;
  linkId: string;
  ip: string;
  userAgent: string;
  /** To be read by {@link readOrigin}. */
  origin: string;
}

/** Whether it is what a {@link Draft} of this version makes: a ClickLog takes in all that it is handed at once, or nothing. */
export function isVisitMessage(body: unknown): body is VisitMessage {
  return Array.isArray(body) && body.every(isVisitBatch);
}

function isVisitBatch(value: unknown): value is VisitBatch {
  const { id, log, accountId, visits } = (value ?? {}) as Partial<VisitBatch>;
  if (typeof id !== "string" || typeof log !== "string" || typeof visits !== "string") return false;
  if (accountId !== null && typeof accountId !== "number") return false;
  const values = visits.split("\n");
  if (values.length % VALUES_PER_VISIT !== 0) return false;
  return values.every((text, index) => index % VALUES_PER_VISIT !== 0 || UNIX_MS.test(text));
}

const UNIX_MS = /^\d{1,15}$/;

/** Throws where the text is not one that a {@link Draft} made. */
export function unpack({ visits }: VisitBatch): SentVisit[] {
  const values = visits.split("\n") as [string, string, string, string, string];
  if (values.length % VALUES_PER_VISIT !== 0) throw new TypeError(`${values.length} values are no whole visits`);
  const unpacked: SentVisit[] = [];
  for (let first = 0; first < values.length; first += VALUES_PER_VISIT) {
    unpacked.push({
      at: Number(values[first]),
      linkId: values[first + 1] as string,
      ip: values[first + 2] as string,
      userAgent: values[first + 3] as string,
      origin: values[first + 4] as string,
    });
  }
  return unpacked;
}

export interface Origin {
  byQr: boolean;
  country: string;
  region: string;
  city: string;
  continent: string;
  referrer: string;
}

/** Where a visit came from. A referrer may have a tab in it. */
export function readOrigin(text: string): Origin {
  const [trigger, country = "", region = "", city = "", continent = "", ...referrer] = text.split(ORIGIN_SEPARATOR);
  return {
    byQr: Number(trigger) === BY_QR,
    country,
    region,
    city,
    continent,
    referrer: referrer.join(ORIGIN_SEPARATOR),
  };
}
