import { MAX_URL_CHARS } from "../../limits.ts";
import { newBatchId } from "../click-id.ts";
import { clickLogName } from "../click-log-name.ts";
import type { CapturedClick, Origin, ServedTarget } from "./click.ts";
import { MAX_CLICKS_PER_MESSAGE, MAX_LINKS_PER_MESSAGE, MAX_MESSAGE_CHARS } from "../limits.ts";

/** Clicks of one isolate in one queue message for one ClickLog. */
export interface ClickBatch {
  /** A ClickLog stores the clicks of a batch id once. */
  id: string;
  /** The name of the ClickLog. */
  log: string;
  accountId: number | null;
  /** The links, targets and origins of the clicks, each once. */
  links: string[];
  targets: BatchTarget[];
  origins: Origin[];
  /** The clicks, as lists of values. A list of clicks would take twice the CPU in the queue and in the call to the ClickLog. */
  clicks: ClickColumns;
}

/** A target of a link. */
type BatchTarget = [
  /** Index in `links`. */
  link: number,
  /** That of {@link ServedTarget}; '' for the link's own destination. */
  name: string,
  url: string,
];

/** Lists with one entry for each click. */
interface ClickColumns {
  /** Unix milliseconds. */
  at: number[];
  /** Index in `targets`. */
  target: number[];
  /** Index in `origins`. */
  origin: number[];
  ip: string[];
  userAgent: string[];
}

/** The body of a message in the queue of clicks. */
export interface ClickBatchMessage {
  kind: "clicks";
  batches: ClickBatch[];
}

/** A batch that is not full yet, with the indexes of its links, targets and origins. */
interface OpenBatch extends Pick<ClickBatch, "accountId" | "links" | "targets" | "origins" | "clicks"> {
  indexes: Map<string, number>;
  /** The indexes of targets by the objects of the redirects, which most clicks share. */
  targetIndexes: Map<ServedTarget, number>;
}

/** A message that is not full yet. */
export class ClickMessageBuilder {
  /** By account, and by link for anonymous links. */
  readonly #batches = new Map<number | string, OpenBatch>();
  #clicks = 0;
  #links = 0;
  #chars = 0;
  #firstClickAt = 0;

  get clicks(): number {
    return this.#clicks;
  }

  /** The approximate size of the message, in characters of three bytes. */
  get chars(): number {
    return this.#chars;
  }

  /** Unix milliseconds. */
  get firstClickAt(): number {
    return this.#firstClickAt;
  }

  /** Whether the message must be sent before another click is added. */
  get isFull(): boolean {
    if (this.#clicks >= MAX_CLICKS_PER_MESSAGE || this.#links >= MAX_LINKS_PER_MESSAGE) return true;
    return this.#chars >= MAX_MESSAGE_CHARS;
  }

  add(click: CapturedClick): void {
    const [at, linkId, accountId, target, ip, userAgent, ...origin] = click;
    if (this.#clicks === 0) this.#firstClickAt = at;
    const batch = this.#batchFor(accountId, linkId);
    batch.clicks.at.push(at);
    batch.clicks.target.push(batch.targetIndexes.get(target) ?? this.#addTarget(batch, linkId, target));
    batch.clicks.origin.push(this.#originIndex(batch, origin));
    batch.clicks.ip.push(ip);
    batch.clicks.userAgent.push(userAgent);
    this.#clicks++;
    this.#chars += CHARS_PER_CLICK + ip.length + userAgent.length;
  }

  toMessage(): ClickBatchMessage {
    const batches = [...this.#batches.values()].map(({ accountId, links, targets, origins, clicks }) => ({
      id: newBatchId(),
      log: clickLogName(accountId, links[0] ?? ""),
      accountId,
      links,
      targets,
      origins,
      clicks,
    }));
    return { kind: "clicks", batches };
  }

  #batchFor(accountId: number | null, linkId: string): OpenBatch {
    const key = accountId ?? linkId;
    const known = this.#batches.get(key);
    if (known !== undefined) return known;
    const clicks = { at: [], target: [], origin: [], ip: [], userAgent: [] };
    const lists = { links: [], targets: [], origins: [] };
    const batch: OpenBatch = { accountId, ...lists, clicks, indexes: new Map(), targetIndexes: new Map() };
    this.#batches.set(key, batch);
    this.#chars += CHARS_PER_BATCH;
    return batch;
  }

  #addTarget(batch: OpenBatch, linkId: string, target: ServedTarget): number {
    const { targets, indexes, targetIndexes } = batch;
    const name = target.name ?? "";
    const url = target.location.slice(0, MAX_URL_CHARS);
    const key = `${linkId}\n${name}\n${url}`;
    const index = indexes.get(key) ?? targets.push([this.#linkIndex(batch, linkId), name, url]) - 1;
    targetIndexes.set(target, index);
    if (indexes.has(key)) return index;
    indexes.set(key, index);
    this.#chars += CHARS_PER_TARGET + name.length + Math.ceil(url.length / BYTES_PER_CHAR);
    return index;
  }

  #linkIndex({ links, indexes }: OpenBatch, linkId: string): number {
    const known = indexes.get(linkId);
    if (known !== undefined) return known;
    indexes.set(linkId, links.length);
    this.#links++;
    this.#chars += linkId.length;
    return links.push(linkId) - 1;
  }

  #originIndex({ origins, indexes }: OpenBatch, origin: Origin): number {
    const key = origin.join("\n");
    const known = indexes.get(key);
    if (known !== undefined) return known;
    indexes.set(key, origins.length);
    this.#chars += CHARS_PER_ORIGIN + key.length;
    return origins.push(origin) - 1;
  }
}

/** Approximate size of a click without its texts. */
const CHARS_PER_CLICK = 10;
/** Approximate size of a target without its texts. */
const CHARS_PER_TARGET = 10;
/** Bytes of a character in a message. The URL of a target is ASCII, in which a character has one byte. */
const BYTES_PER_CHAR = 3;
/** Approximate size of an origin without its texts. */
const CHARS_PER_ORIGIN = 10;
/** Approximate size of a batch without its links, origins and clicks. */
const CHARS_PER_BATCH = 200;
