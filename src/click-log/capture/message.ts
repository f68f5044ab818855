import { MAX_URL_CHARS } from "../../limits.ts";
import { newBatchId } from "../click-id.ts";
import { accountLogName, sharedLogName } from "../click-log-name.ts";
import { TextTable } from "../text-table.ts";
import type { CapturedClick, Origin, ServedTarget } from "./click.ts";
import { MAX_CLICKS_PER_MESSAGE, MAX_LINKS_PER_MESSAGE, MAX_MESSAGE_CHARS } from "../limits.ts";

/** Clicks of one isolate in one queue message for one ClickLog. */
export interface ClickBatch {
  /** A ClickLog stores the clicks of a batch id once. */
  id: string;
  /** The name of the ClickLog. */
  log: string;
  accountId: number | null;
  /** Each link's targets, as {@link readTarget} reads them. */
  targets: string[];
  /** The origins of the clicks: the values of {@link Origin}, each in a line. */
  origins: string[];
  /** The clicks, as lists of values. A list of clicks would take twice the CPU in the queue and in the call to the ClickLog. */
  clicks: ClickColumns;
}

/** A target of a link as a message names it. */
export interface MessageTarget {
  linkId: string;
  /** That of {@link ServedTarget}; '' for the link's own destination. */
  name: string;
  url: string;
}

export function readTarget(text: string): MessageTarget {
  const [linkId = "", name = "", url = ""] = text.split("\n");
  return { linkId, name, url };
}

/** Lists with one entry for each click. */
interface ClickColumns {
  /** Unix milliseconds. */
  at: number[];
  /** Index in `targets`. */
  target: number[];
  /** Index in `origins`. */
  origin: number[];
  /** Null: the visitor is not to be recognised. */
  ip: (string | null)[];
  userAgent: string[];
}

/** The body of a message in the queue of clicks. */
export interface ClickBatchMessage {
  kind: "clicks";
  batches: ClickBatch[];
}

/** A message that is ready to be sent. */
export interface FinishedMessage {
  body: ClickBatchMessage;
  clicks: number;
  chars: number;
  /** Unix milliseconds. */
  firstClickAt: number;
}

/** A batch that is not full yet. */
interface OpenBatch extends Pick<ClickBatch, "log" | "accountId" | "clicks"> {
  targets: TextTable;
  origins: TextTable;
  /** The indexes of targets by the objects of the redirects, which most clicks share. */
  targetIndexes: Map<ServedTarget, number>;
}

/** A message that is not full yet. */
export class ClickMessageBuilder {
  /** By account; those of anonymous links by ClickLog. */
  readonly #batches = new Map<number | string, OpenBatch>();
  #clicks = 0;
  readonly #links = new Set<string>();
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
    if (this.#clicks >= MAX_CLICKS_PER_MESSAGE || this.#links.size >= MAX_LINKS_PER_MESSAGE) return true;
    return this.#chars >= MAX_MESSAGE_CHARS;
  }

  add(click: CapturedClick): void {
    const [at, linkId, accountId, target, ip, userAgent, ...origin] = click;
    if (this.#clicks === 0) this.#firstClickAt = at;
    const batch = this.#batchFor(accountId ?? sharedLogName(linkId), accountId);
    batch.clicks.at.push(at);
    batch.clicks.target.push(batch.targetIndexes.get(target) ?? this.#addTarget(batch, linkId, target));
    batch.clicks.origin.push(this.#originIndex(batch, origin));
    batch.clicks.ip.push(ip);
    batch.clicks.userAgent.push(userAgent);
    this.#clicks++;
    this.#chars += MESSAGE_CHARS_PER_CLICK + (ip?.length ?? 0) + userAgent.length;
  }

  toMessage(): ClickBatchMessage {
    const batches = Array.from(this.#batches.values(), ({ log, accountId, targets, origins, clicks }): ClickBatch => {
      const texts = { targets: targets.toArray(), origins: origins.toArray() };
      return { id: newBatchId(), log, accountId, ...texts, clicks };
    });
    return { kind: "clicks", batches };
  }

  #batchFor(key: number | string, accountId: number | null): OpenBatch {
    const known = this.#batches.get(key);
    if (known !== undefined) return known;
    const clicks = { at: [], target: [], origin: [], ip: [], userAgent: [] };
    const tables = { targets: new TextTable(), origins: new TextTable(), targetIndexes: new Map() };
    const log = typeof key === "string" ? key : accountLogName(key);
    const batch: OpenBatch = { log, accountId, ...tables, clicks };
    this.#batches.set(key, batch);
    this.#chars += CHARS_PER_BATCH;
    return batch;
  }

  #addTarget({ targets, targetIndexes }: OpenBatch, linkId: string, target: ServedTarget): number {
    const { name = "", location } = target;
    const url = location.slice(0, MAX_URL_CHARS);
    const chars = linkId.length + name.length + Math.ceil(url.length / BYTES_PER_CHAR);
    const index = this.#indexIn(targets, `${linkId}\n${name}\n${url}`, chars);
    targetIndexes.set(target, index);
    this.#links.add(linkId);
    return index;
  }

  #originIndex({ origins }: OpenBatch, origin: Origin): number {
    const text = origin.join("\n");
    return this.#indexIn(origins, text, text.length);
  }

  /** The index of a text, whose size counts once. */
  #indexIn(table: TextTable, text: string, chars: number): number {
    const { size } = table;
    const index = table.indexOf(text);
    if (table.size > size) this.#chars += MESSAGE_CHARS_PER_TEXT + chars;
    return index;
  }
}

/** Approximate size of a click without its texts. */
const MESSAGE_CHARS_PER_CLICK = 10;
/** Approximate size of a target or an origin without its text. */
const MESSAGE_CHARS_PER_TEXT = 10;
/** Bytes of a character in a message. The URL of a target is ASCII, in which a character has one byte. */
const BYTES_PER_CHAR = 3;
/** Approximate size of a batch without its targets, origins and clicks. */
const CHARS_PER_BATCH = 200;
