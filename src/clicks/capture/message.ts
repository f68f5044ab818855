import { MAX_CLICKS_PER_MESSAGE, MAX_LINKS_PER_MESSAGE, MAX_MESSAGE_CHARS } from "../../limits.ts";
import { newBatchId } from "../click-id.ts";
import { fromFormerBatch } from "../former.ts";
import { clickLogName } from "../click-log/client.ts";
import { BY_QR, type CapturedClick } from "./click.ts";

/** Visits of one isolate in a quarter of a second, all for the same ClickLog. */
export interface ClickBatch {
  /** Whoever meets it a second time has counted its visits already. */
  id: string;
  /** The name of the ClickLog. */
  log: string;
  accountId: number | null;
  /** When the first visit was, Unix milliseconds. */
  since: number;
  /** What is told of the visits, in UTF-8, a line each: links and origins, which many have in common, once. */
  texts: Uint8Array;
  /** Five numbers a visit: milliseconds after `since`, and the lines of its link, address, user agent and origin. */
  visits: Int32Array;
}

/** What is in the queue. */
export type ClickMessage = ClickBatch[];

const NUMBERS_PER_VISIT = 5;
/** What comes after the visitor's address and user agent is one text, since few visits differ in it. */
const ORIGIN_SEPARATOR = "\t";

/** A batch that is being filled. */
interface Filling {
  accountId: number | null;
  linkId: string;
  since: number;
  texts: Texts;
  visits: number[];
}

/** A message that is being filled. */
export class ClickMessageBuilder {
  /** By account, or by link where that belongs to nobody. */
  readonly #batches = new Map<number | string, Filling>();
  #visits = 0;
  #links = 0;
  #chars = 0;
  #since = 0;

  get visits(): number {
    return this.#visits;
  }

  /** About how large the message is, in characters of three bytes. */
  get chars(): number {
    return this.#chars;
  }

  /** When the first visit was, Unix milliseconds. */
  get since(): number {
    return this.#since;
  }

  /** Whether it is to be sent before another visit comes in. */
  get isFull(): boolean {
    if (this.#visits >= MAX_CLICKS_PER_MESSAGE || this.#links >= MAX_LINKS_PER_MESSAGE) return true;
    return this.#chars >= MAX_MESSAGE_CHARS;
  }

  add(visit: CapturedClick): void {
    const [at, linkId, , ip, userAgent, referrer, country, region, city, continent, trigger] = visit;
    if (this.#visits === 0) this.#since = at;
    const { since, texts, visits } = this.#batchOf(visit);
    const { length, chars } = texts;
    const link = texts.find(linkId);
    if (texts.length > length) this.#links++;
    const origin = [trigger, country, region, city, continent, referrer].join(ORIGIN_SEPARATOR);
    visits.push(at - since, link, texts.append(ip), texts.append(userAgent), texts.find(origin));
    this.#visits++;
    this.#chars += CHARS_PER_VISIT + texts.chars - chars;
  }

  toMessage(): ClickMessage {
    return [...this.#batches.values()].map(({ accountId, linkId, since, texts, visits }) => ({
      id: newBatchId(),
      log: clickLogName(accountId, linkId),
      accountId,
      since,
      texts: new TextEncoder().encode(texts.toString()),
      visits: new Int32Array(visits),
    }));
  }

  #batchOf([at, linkId, accountId]: CapturedClick): Filling {
    const known = this.#batches.get(accountId ?? linkId);
    if (known !== undefined) return known;
    const batch: Filling = { accountId, linkId, since: at, texts: new Texts(), visits: [] };
    this.#batches.set(accountId ?? linkId, batch);
    this.#chars += CHARS_PER_BATCH;
    return batch;
  }
}

/**
 * Lines of text, of which those that are looked for are there once. What hardly ever comes twice is not looked for: to ask
 * a Map for a new text takes longer than to carry its bytes.
 */
class Texts {
  readonly #lines: string[] = [];
  readonly #known = new Map<string, number>();
  #chars = 0;

  get length(): number {
    return this.#lines.length;
  }

  get chars(): number {
    return this.#chars;
  }

  append(text: string): number {
    this.#chars += text.length + 1;
    return this.#lines.push(text) - 1;
  }

  find(text: string): number {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const line = this.append(text);
    this.#known.set(text, line);
    return line;
  }

  toString(): string {
    return this.#lines.join("\n");
  }
}

/** What the numbers of a visit take. */
const CHARS_PER_VISIT = (NUMBERS_PER_VISIT * Int32Array.BYTES_PER_ELEMENT) / 3;
/** What a batch takes besides its visits, about. */
const CHARS_PER_BATCH = 200;

/** A visit as it is in a {@link ClickBatch}. */
export interface SentVisit {
  /** Unix milliseconds. */
  at: number;
  linkId: string;
  ip: string;
  userAgent: string;
  /** To be read by {@link readOrigin}. */
  origin: string;
}

/** The batches of a message; null where it cannot be read: a ClickLog takes in all that it is handed at once, or nothing. */
export function readMessage(body: unknown): ClickBatch[] | null {
  if (!Array.isArray(body)) return null;
  const batches = body.map(fromFormerBatch);
  return batches.every(isVisitBatch) ? batches : null;
}

function isVisitBatch(value: unknown): value is ClickBatch {
  const { id, log, accountId, since, texts, visits } = (value ?? {}) as Partial<ClickBatch>;
  if (typeof id !== "string" || typeof log !== "string" || !(texts instanceof Uint8Array)) return false;
  if (accountId !== null && typeof accountId !== "number") return false;
  if (!Number.isSafeInteger(since) || !(visits instanceof Int32Array)) return false;
  const lines = linesIn(texts);
  return (
    visits.length % NUMBERS_PER_VISIT === 0 &&
    visits.every((number, index) => index % NUMBERS_PER_VISIT === 0 || (number >= 0 && number < lines))
  );
}

function linesIn(texts: Uint8Array): number {
  let lines = 1;
  for (let at = texts.indexOf(NEW_LINE); at !== -1; at = texts.indexOf(NEW_LINE, at + 1)) lines++;
  return lines;
}

/** In UTF-8, where no other character has this byte. */
const NEW_LINE = 10;

export function unpack({ since, texts, visits }: ClickBatch): SentVisit[] {
  const lines = new TextDecoder().decode(texts).split("\n");
  const textAt = (place: number) => lines[visits[place] as number] as string;
  const unpacked: SentVisit[] = [];
  for (let first = 0; first < visits.length; first += NUMBERS_PER_VISIT) {
    unpacked.push({
      at: since + (visits[first] as number),
      linkId: textAt(first + 1),
      ip: textAt(first + 2),
      userAgent: textAt(first + 3),
      origin: textAt(first + 4),
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
