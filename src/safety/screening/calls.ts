import { log } from "../../platform/lib/log.ts";
import { canonicalize, hostSuffixes, type CanonicalUrl } from "../../platform/lib/canonical-url.ts";
import { NESTED, type Finding } from "./finding.ts";
import { hostText, urlText } from "./list-entry.ts";
import { readNestedUrls, type NestedUrls } from "./nested-urls.ts";
import { Panel } from "./providers/panel.ts";
import type { Provider } from "./providers/provider.ts";
import { providersOf } from "./providers/providers-of.ts";
import { readList } from "./read-list.ts";
import { siphash, toSipKey, type SipKey } from "./siphash.ts";
import { ChunkStore } from "./store/chunks.ts";
import { ListStates, type ListState } from "./store/list-states.ts";
import { readSettings, type Settings } from "./store/settings.ts";
import { openTables } from "./store/tables.ts";
import { WatchedLinks, type Screened, type WatchedLink } from "./store/watched-links.ts";
import { suspect } from "./suspicion/suspect.ts";

const KEY_BYTES = 16;

/** What a URL is compared as: itself, and its host with the domains above. */
function textsOf({ host, path, query }: CanonicalUrl): [exact: string, ...hosts: string[]] {
  return [urlText(host, path + query), ...hostSuffixes(host).map(hostText)];
}

/** The first suspicion of a URL and the URLs in it; null: there is none. */
function suspectAny(texts: readonly string[], ownHost: string): Finding | null {
  return texts.map((text) => suspect(text, ownHost)).find((each) => each !== null) ?? null;
}

/** What is wrong with URLs, in their order. */
export interface Judgement {
  findings: (Finding | null)[];
  /** What counts against links without trust only. */
  suspicions: (Finding | null)[];
  /** The URLs of which a provider said nothing, because it failed or was asked too much. */
  unknown: string[];
  /** Whether there are rules to compare URLs with. */
  hasRules: boolean;
}

/** What the rules say of the destinations of a link without an account. */
export interface StrangersJudgement {
  findings: (Finding | null)[];
  /** Whether there are rules, and nothing is wrong or suspicious. */
  hasPassed: boolean;
}

/** What the Screener does: it compares destinations with the operators' entries and with list files, which it keeps. */
export class ScreenerCalls {
  readonly #env: Env;
  readonly #chunks: ChunkStore;
  readonly #states: ListStates;
  readonly #watched: WatchedLinks;
  readonly #key: SipKey;
  readonly #providers: readonly Provider[];
  #settings: Promise<Settings> | null = null;

  constructor(env: Env, { storage }: DurableObjectState) {
    this.#env = env;
    openTables(storage);
    this.#chunks = new ChunkStore(storage);
    this.#states = new ListStates(storage);
    this.#watched = new WatchedLinks(storage);
    let key = storage.kv.get<Uint8Array>("key");
    if (key === undefined) storage.kv.put("key", (key = crypto.getRandomValues(new Uint8Array(KEY_BYTES))));
    this.#key = toSipKey(key);
    this.#providers = providersOf(env);
  }

  /** Returns for each URL why it, or a URL in it, is blocked; null: it is not. */
  async screen(urls: readonly string[]): Promise<(Finding | null)[]> {
    const settings = await this.#read();
    return urls.map((url) => {
      const opinion = this.#compareNew(settings, readNestedUrls(url));
      return opinion === "allowed" ? null : opinion;
    });
  }

  /** As {@link screen} for a link without an account. `ownHost`: the host of the service. */
  async screenStranger(urls: readonly string[], ownHost: string): Promise<StrangersJudgement> {
    const settings = await this.#read();
    const findings: (Finding | null)[] = [];
    let hasPassed = this.#hasRules(settings);
    for (const url of urls) {
      const nested = readNestedUrls(url);
      const opinion = this.#compareNew(settings, nested);
      findings.push(opinion === "allowed" ? null : opinion);
      if (opinion === "allowed") continue;
      if (opinion !== null || suspectAny(this.#openOf(settings, nested.urls), ownHost) !== null) hasPassed = false;
    }
    return { findings, hasPassed };
  }

  /** Whether there are entries of operators that block, or a list file that was read. */
  #hasRules({ own, lists }: Settings): boolean {
    const isBlocking = [...own.values()].some(({ verdict }) => verdict === "block");
    return isBlocking || lists.some(({ id }) => (this.#states.find(id)?.entries ?? 0) > 0);
  }

  /** Those of which no rule says anything. */
  #openOf(settings: Settings, texts: readonly string[]): string[] {
    return texts.filter((text) => this.#compare(settings, text) === null);
  }

  /** What the rules say of a new destination. One that carries more than is read is blocked: harmless URLs would hide a harmful one. */
  #compareNew(settings: Settings, nested: NestedUrls): Finding | "allowed" | null {
    const opinion = this.#compareAll(settings, nested);
    return opinion ?? (nested.hasMore ? { verdict: "block", reason: "policy", source: NESTED } : null);
  }

  /** What the rules say of a URL and what it carries. */
  #compareAll(settings: Settings, { urls: [outer, ...nested], hosts }: NestedUrls): Finding | "allowed" | null {
    const opinion = this.#compare(settings, outer);
    if (opinion !== null) return opinion;
    const opinions = [...nested, ...hosts].map((url) => this.#compare(settings, url));
    return opinions.find((each) => each !== null && each !== "allowed") ?? null;
  }

  /** What the rules say of a URL. `allowed`: an operator vouches for it. null: nothing. */
  #compare({ own, lists }: Settings, text: string): Finding | "allowed" | null {
    const url = canonicalize(text);
    if (url === null) return null;
    const [exact, ...hosts] = textsOf(url);
    const entries = [exact, ...hosts].flatMap((each) => own.get(each) ?? []);
    if (entries.some(({ verdict }) => verdict === "allow")) return "allowed";
    const [entry] = entries;
    if (entry !== undefined) return { verdict: "block", reason: entry.reason ?? "policy", source: "own" };
    const hashes = { urls: [siphash(this.#key, exact)], hosts: hosts.map((host) => siphash(this.#key, host)) };
    const list = lists.find(({ id, format }) => hashes[format].some((hash) => this.#chunks.has(id, hash)));
    return list === undefined ? null : { verdict: "block", reason: list.reason, source: list.id };
  }

  /**
   * As {@link screen}, and asks the providers about what no rule concerns. `suspicions` are of URLs of which nothing else is
   * known. `ownHost`: the host of the service.
   */
  async judge(urls: readonly string[], ownHost: string, now: number): Promise<Judgement> {
    const settings = await this.#read();
    const findings: (Finding | null)[] = [];
    const suspicions: (Finding | null)[] = [];
    const unknown: string[] = [];
    const panel = new Panel(this.#providers, now);
    for (const [index, url] of urls.entries()) {
      const nested = readNestedUrls(url);
      const opinion = this.#compareAll(settings, nested);
      findings[index] = opinion === "allowed" ? null : opinion;
      suspicions[index] = null;
      if (opinion !== null) continue;
      const open = this.#openOf(settings, nested.urls);
      const finding = await panel.ask(open);
      if (finding === undefined) unknown.push(url);
      findings[index] = finding ?? null;
      suspicions[index] = suspectAny(open, ownHost);
    }
    return { findings, suspicions, unknown, hasRules: this.#hasRules(settings) };
  }

  /** Takes over what operators have changed. */
  async reload(): Promise<void> {
    this.#settings = null;
    await this.#read();
  }

  async #read(): Promise<Settings> {
    const reading = (this.#settings ??= this.#load());
    try {
      return await reading;
    } catch (error) {
      if (this.#settings === reading) this.#settings = null;
      throw error;
    }
  }

  async #load(): Promise<Settings> {
    const settings = await readSettings(this.#env.DB);
    for (const id of this.#states.keepOnly(settings.lists.map((list) => list.id)))
      this.#chunks.replace(id, new Uint32Array());
    return settings;
  }

  /** Reads the list file that has been due for the longest time. Returns how many were read: 1, or 0 if none is due. */
  async refresh(now: number): Promise<number> {
    await this.reload();
    const { lists } = await this.#read();
    const id = this.#states.takeDue(now);
    const list = lists.find((each) => each.id === id);
    if (list === undefined) return 0;
    const reading = await readList(list, this.#key, this.#states.find(list.id)?.entries ?? 0);
    // It may have been removed meanwhile.
    if (this.#states.find(list.id) === null) return 1;
    if (reading.ok) {
      this.#chunks.replace(list.id, reading.hashes);
      this.#states.recordRefresh(list.id, reading.hashes.length / 2, now);
    } else {
      this.#states.recordFault(list.id, reading.fault);
      log("warn", "screening_list_refused", { list: list.id, fault: reading.fault });
    }
    return 1;
  }

  /** The links are screened again, from now on. */
  watch(ids: readonly string[], now: number): void {
    this.#watched.add(ids, now);
  }

  /** Links that are due to be screened again. */
  listDue(now: number, limit: number): WatchedLink[] {
    return this.#watched.listDue(now, limit);
  }

  /** Stores the verdicts that links will get again, by their ids, before they are blocked. */
  noteFormer(former: ReadonlyMap<string, number>): void {
    this.#watched.noteFormer(former);
  }

  /** Stores what became of links that were screened again. */
  recordScreened(all: readonly Screened[], now: number): void {
    this.#watched.record(all, now);
  }

  /** The states of the list files with these ids; null: the Screener does not know it yet. */
  describeLists(ids: readonly string[]): (ListState | null)[] {
    return ids.map((id) => this.#states.find(id));
  }
}
