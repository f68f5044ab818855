import { leaveBody, readLimited } from "../../platform/lib/read-limited.ts";
import { checkHost, urlError, type UrlGuard } from "../../platform/outbound/url-guard.ts";
import {
  MAX_PAGE_BYTES,
  MAX_ROBOTS_BYTES,
  MAX_VISIT_REDIRECTS,
  MAX_VISIT_REQUESTS,
  VISIT_TIMEOUT_MS,
} from "./limits.ts";
import { readPage, type PageFacts } from "./page.ts";
import { isAllowedBy } from "./robots.ts";

/** Why a visit ended before a page. Only the first two say something about the destination itself. */
type VisitFailure =
  | "unreachable"
  | "too_many_redirects"
  | "timeout"
  // The service may not go there: a private address, the service itself, or robots.txt.
  | "not_public"
  | "robots";

export interface Visit extends PageFacts {
  /** Where the redirects ended; after a failure, the last URL that was found. */
  finalUrl: string;
  /** The status of the last response; null: there was none. */
  status: number | null;
  failure: VisitFailure | null;
}

/** The name in robots.txt and in the user agent. */
const PRODUCT = "TernBot";

/**
 * Follows a destination to its page and reads the page's head. Each URL on the way passes the guard and robots.txt. Never
 * throws. Bounded in time, bytes, redirects and requests.
 */
export async function visitDestination(
  destination: string,
  guard: UrlGuard,
  timeoutMs = VISIT_TIMEOUT_MS,
): Promise<Visit> {
  const visitor = new Visitor(guard, destination);
  try {
    return await visitor.within(timeoutMs, async () => {
      const found = await visitor.follow("text/html,application/xhtml+xml;q=0.9,*/*;q=0.5");
      return readVisit(found);
    });
  } catch (error) {
    const failure = error instanceof VisitError ? error.failure : visitor.isExpired ? "timeout" : "unreachable";
    return { finalUrl: visitor.url, status: visitor.status, failure, title: null, image: null, icon: null };
  }
}

/** The bytes of an image, at most `maxBytes`, and its type as its server names it. */
export interface FetchedImage {
  bytes: Uint8Array;
  contentType: string;
}

/** Fetches an image as {@link visitDestination} fetches a page. Null: there is none, or it is larger than `maxBytes`. Never throws. */
export async function fetchImage(url: string, guard: UrlGuard, maxBytes: number): Promise<FetchedImage | null> {
  const visitor = new Visitor(guard, url);
  try {
    return await visitor.within(VISIT_TIMEOUT_MS, async () => {
      const { response } = await visitor.follow("image/*");
      if (!response.ok) {
        await leaveBody(response);
        return null;
      }
      const bytes = await readLimited(response.body, maxBytes + 1);
      if (bytes.byteLength > maxBytes) return null;
      return { bytes, contentType: response.headers.get("Content-Type") ?? "" };
    });
  } catch {
    return null;
  }
}

/** Where the redirects ended. */
interface FoundResponse {
  response: Response;
  url: URL;
}

async function readVisit({ response, url }: FoundResponse): Promise<Visit> {
  const type = response.headers.get("Content-Type") ?? "";
  const isPage = response.ok && /^\s*(text\/html|application\/xhtml\+xml)\b/i.test(type);
  const visit = { finalUrl: url.href, status: response.status, failure: null, title: null, image: null, icon: null };
  if (!isPage) {
    await leaveBody(response);
    return visit;
  }
  // Decompressed by the runtime as it is read, so the bound holds for what a small body unpacks to.
  try {
    return { ...visit, ...(await readPage(await readLimited(response.body, MAX_PAGE_BYTES), type, url)) };
  } catch {
    // The server has answered. What cannot be read of the page is only left out.
    return visit;
  }
}

class VisitError extends Error {
  readonly failure: VisitFailure;
  constructor(failure: VisitFailure) {
    super(failure);
    this.failure = failure;
  }
}

class Visitor {
  url: string;
  status: number | null = null;
  isExpired = false;
  readonly #guard: UrlGuard;
  readonly #abort = new AbortController();
  readonly #hosts = new Map<string, Promise<string>>();
  readonly #robots = new Map<string, Promise<string | null>>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #requests = 0;

  constructor(guard: UrlGuard, url: string) {
    this.#guard = guard;
    this.url = url;
  }

  /** Runs what fetches and reads, and ends what is still under way after that or after the time. Throws a {@link VisitError} then. */
  async within<T>(timeoutMs: number, run: () => Promise<T>): Promise<T> {
    try {
      return await Promise.race([run(), this.#expire(timeoutMs)]);
    } finally {
      clearTimeout(this.#timer);
      this.#abort.abort();
    }
  }

  /** Rejects at the end of the time. Reading does not always end when the signal aborts. */
  #expire(timeoutMs: number): Promise<never> {
    return new Promise((_, reject) => {
      this.#timer = setTimeout(() => {
        this.isExpired = true;
        reject(new VisitError("timeout"));
      }, timeoutMs);
    });
  }

  async follow(accept: string): Promise<FoundResponse> {
    for (let redirects = 0; redirects <= MAX_VISIT_REDIRECTS; redirects++) {
      const url = await this.#requirePublic(this.url);
      await this.#requireRobots(url);
      const response = await this.#fetch(url, accept);
      this.status = response.status;
      const next = locationOf(response, url);
      if (next === null) return { response, url };
      await leaveBody(response);
      // The fragment stays, as in a browser.
      if (next.hash === "") next.hash = url.hash;
      this.url = next.href;
    }
    throw new VisitError("too_many_redirects");
  }

  async #requirePublic(text: string): Promise<URL> {
    if (urlError(text, this.#guard) !== null) throw new VisitError("not_public");
    const url = new URL(text);
    const known = this.#hosts.get(url.hostname) ?? checkHost(url, this.#guard);
    this.#hosts.set(url.hostname, known);
    const verdict = await known;
    if (verdict === "unresolvable") throw new VisitError("unreachable");
    if (verdict !== "allowed") throw new VisitError("not_public");
    return url;
  }

  async #requireRobots(url: URL): Promise<void> {
    const known = this.#robots.get(url.origin) ?? this.#readRobots(new URL("/robots.txt", url));
    this.#robots.set(url.origin, known);
    const robots = await known;
    if (robots === null || !isAllowedBy(robots, PRODUCT, url.pathname + url.search)) throw new VisitError("robots");
  }

  /** Null: nothing may be read, since what may be read is not known (RFC 9309, 2.3.1.4). */
  async #readRobots(first: URL): Promise<string | null> {
    let url = first;
    for (let redirects = 0; redirects <= MAX_VISIT_REDIRECTS; redirects++) {
      const response = await this.#fetch(url, "text/plain");
      const next = locationOf(response, url);
      if (next === null && response.ok) {
        const bytes = await readLimited(response.body, MAX_ROBOTS_BYTES).catch(() => null);
        return bytes === null ? null : new TextDecoder().decode(bytes);
      }
      await leaveBody(response);
      if (next === null && response.status >= 500) {
        this.status = response.status;
        return null;
      }
      if (next === null) return "";
      url = await this.#requirePublic(next.href);
    }
    return "";
  }

  async #fetch(url: URL, accept: string): Promise<Response> {
    if (++this.#requests > MAX_VISIT_REQUESTS) throw new VisitError("too_many_redirects");
    const { baseUrl } = this.#guard;
    const userAgent = `Mozilla/5.0 (compatible; ${PRODUCT}/1.0${baseUrl === "" ? "" : `; +${baseUrl}`})`;
    const headers = { Accept: accept, "User-Agent": userAgent };
    return fetch(url, { headers, redirect: "manual", signal: this.#abort.signal });
  }
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Where the response redirects to; null: it does not. */
function locationOf(response: Response, base: URL): URL | null {
  const location = response.headers.get("Location");
  return location !== null && REDIRECTS.has(response.status) ? URL.parse(location, base.href) : null;
}
