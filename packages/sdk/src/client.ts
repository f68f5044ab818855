import { checkBaseUrl, checkKey, readVariable } from "./environment.ts";
import { Keys, Jobs, Notes, Service, Tags, UsageNamespace, UtmTemplates } from "./namespaces/account.ts";
import { Clicks, SharedPages } from "./namespaces/clicks.ts";
import { DeepLinks, Domains } from "./namespaces/domains.ts";
import { BulkJobs, Exports, Imports, QrCodes } from "./namespaces/jobs.ts";
import { Links, Redirects, Slugs } from "./namespaces/links.ts";
import { Listeners, Webhooks } from "./namespaces/webhooks.ts";
import { Transport, type Call, type DebugEvent } from "./transport.ts";

export interface TernOptions {
  /** Or an access token of OAuth. By default the variable `TERN_API_KEY`. null: only operations that need no key. */
  apiKey?: string | null;
  /**
   * The address of the service, such as `https://go.example`. By default the variable `TERN_BASE_URL`. A key is sent with
   * `http` only to this computer.
   */
  baseUrl?: string;
  /** Of one attempt, in milliseconds: by default 30,000. */
  timeoutMs?: number;
  /** By default 3. */
  maxRetries?: number;
  /** Used in place of the runtime's `fetch`. */
  fetch?: typeof fetch;
  /** Called after each attempt of a request, for logs. */
  debug?: (event: DebugEvent) => void;
}

const TIMEOUT_MS = 30_000;
const MAX_RETRIES = 3;

/** A client of the API. Its namespaces have a method for each operation that an API key may call. */
export class Tern {
  // `declare`: the constructor defines them.
  declare readonly bulkJobs: BulkJobs;
  declare readonly clicks: Clicks;
  declare readonly deepLinks: DeepLinks;
  declare readonly domains: Domains;
  declare readonly exports: Exports;
  declare readonly imports: Imports;
  declare readonly jobs: Jobs;
  declare readonly keys: Keys;
  declare readonly links: Links;
  declare readonly listeners: Listeners;
  declare readonly qrCodes: QrCodes;
  declare readonly redirects: Redirects;
  declare readonly service: Service;
  declare readonly sharedPages: SharedPages;
  declare readonly slugs: Slugs;
  declare readonly tags: Tags;
  declare readonly usage: UsageNamespace;
  declare readonly utmTemplates: UtmTemplates;
  declare readonly notes: Notes;
  declare readonly webhooks: Webhooks;
  readonly #transport: Transport;

  /** Throws a TypeError if the key or the address is missing or malformed, and where others could read the key. */
  constructor(options: TernOptions = {}) {
    const { apiKey = readVariable("TERN_API_KEY"), baseUrl = readVariable("TERN_BASE_URL") } = options;
    if (apiKey === undefined) throw new TypeError("Set TERN_API_KEY, or pass apiKey. null: without a key.");
    if (baseUrl === undefined) throw new TypeError("Set TERN_BASE_URL, or pass baseUrl.");
    const address = checkBaseUrl(baseUrl);
    const transport = new Transport({
      apiKey: apiKey === null ? null : checkKey(apiKey, address),
      baseUrl: address,
      timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
      maxRetries: options.maxRetries ?? MAX_RETRIES,
      // Some runtimes refuse to call it as a method.
      fetch: options.fetch ?? ((...request) => fetch(...request)),
      debug: options.debug,
    });
    this.#transport = transport;
    this.bulkJobs = new BulkJobs(transport);
    this.clicks = new Clicks(transport);
    this.deepLinks = new DeepLinks(transport);
    this.domains = new Domains(transport);
    this.exports = new Exports(transport);
    this.imports = new Imports(transport);
    this.jobs = new Jobs(transport);
    this.keys = new Keys(transport);
    this.links = new Links(transport);
    this.listeners = new Listeners(transport);
    this.qrCodes = new QrCodes(transport);
    this.redirects = new Redirects(transport);
    this.service = new Service(transport);
    this.sharedPages = new SharedPages(transport);
    this.slugs = new Slugs(transport);
    this.tags = new Tags(transport);
    this.usage = new UsageNamespace(transport);
    this.utmTemplates = new UtmTemplates(transport);
    this.notes = new Notes(transport);
    this.webhooks = new Webhooks(transport);
  }

  /** Calls any operation and returns the JSON of its response. A POST is repeated only with an `idempotencyKey`. */
  request<T = unknown>(method: string, path: string, call: Call = {}): Promise<T> {
    return this.#transport.json(method, path, call);
  }

  /** Calls any operation and returns the response: for its headers, and for files. The timeout ends with its headers. */
  fetch(method: string, path: string, call: Call = {}): Promise<Response> {
    return this.#transport.response(method, path, call);
  }
}
