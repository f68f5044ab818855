import type { List } from "../list.ts";
import { Namespace, once, path } from "../namespace.ts";
import type { RequestOptions } from "../transport.ts";
import type {
  CheckSlug,
  CreateLink,
  CreateLinks,
  DeleteLinks,
  Destination,
  Link,
  LinkCount,
  LinkResult,
  ListedLink,
  ListLinks,
  NamedCreator,
  Shorten,
  ShortenedLink,
  SlugCheck,
  SuccessResult,
  UpdateLink,
  UpdateLinks,
  UpsertLink,
} from "../types.ts";

/** The settings as the API takes them: several tags are a list, a single one too. */
const withTagList = <T extends Pick<CreateLink, "tags">>(settings: T): T =>
  typeof settings.tags === "string" ? { ...settings, tags: [settings.tags] } : settings;

export class Links extends Namespace {
  create(link: CreateLink, options?: RequestOptions): Promise<Link> {
    return this.one("link", "POST", "/api/links", options, once(withTagList(link), options));
  }

  list(
    query?: ListLinks,
    options?: RequestOptions,
  ): List<"links", ListedLink, { count?: LinkCount; creators?: NamedCreator[] }> {
    return this.pages("links", "/api/links", options, query);
  }

  get(id: string, options?: RequestOptions): Promise<Link> {
    return this.one("link", "GET", path`/api/links/${id}`, options);
  }

  /** The account's link at a short URL, such as `go.example/spring`. */
  getByUrl(url: string, options?: RequestOptions): Promise<Link> {
    return this.one("link", "GET", "/api/links/by-url", options, { query: { url } });
  }

  update(id: string, changes: UpdateLink, options?: RequestOptions): Promise<Link> {
    return this.one("link", "PATCH", path`/api/links/${id}`, options, { body: withTagList(changes) });
  }

  delete(id: string, options?: RequestOptions): Promise<void> {
    return this.remove(path`/api/links/${id}`, options);
  }

  /** Brings a deleted link back, within a week. */
  restore(id: string, options?: RequestOptions): Promise<Link> {
    return this.one("link", "POST", path`/api/links/${id}/restore`, options);
  }

  /** Updates the link with this `externalId` or slug, or creates it. */
  upsert(link: UpsertLink, options?: RequestOptions): Promise<Link> {
    return this.one("link", "PUT", "/api/links/upsert", options, once(withTagList(link), options));
  }

  /** Up to 100 links. Each has its own result. */
  createMany({ links }: CreateLinks, options?: RequestOptions): Promise<LinkResult[]> {
    return this.one("results", "POST", "/api/links/bulk", options, once({ links: links.map(withTagList) }, options));
  }

  updateMany(update: UpdateLinks, options?: RequestOptions): Promise<LinkResult[]> {
    return this.one("results", "PATCH", "/api/links/bulk", options, {
      body: { ...update, changes: withTagList(update.changes) },
    });
  }

  deleteMany(links: DeleteLinks, options?: RequestOptions): Promise<SuccessResult[]> {
    return this.one("results", "DELETE", "/api/links/bulk", options, { body: links });
  }

  /** Also without an API key; the link is then anonymous. */
  shorten(link: Shorten, options?: RequestOptions): Promise<ShortenedLink> {
    return this.json("POST", "/api/shorten", options, once(link, options));
  }
}

export class Slugs extends Namespace {
  check(slug: string, query?: CheckSlug, options?: RequestOptions): Promise<SlugCheck> {
    return this.one("slug", "GET", path`/api/slugs/${slug}`, options, { query });
  }
}

/** What visitors of short links request. */
export class Redirects extends Namespace {
  /** The redirect itself, or a page. The visit counts as a click. */
  follow(slug: string, options?: RequestOptions): Promise<Response> {
    return this.file("GET", path`/${slug}`, options);
  }

  /** Where the link leads. No click is counted. */
  showDestination(slug: string, options?: RequestOptions): Promise<Destination> {
    return this.json("GET", path`/${slug}+`, options, { headers: { ...options?.headers, Accept: "application/json" } });
  }

  /** The response has the cookie that opens the link. */
  enterPassword(slug: string, form: { password: string }, options?: RequestOptions): Promise<Response> {
    return this.file("POST", path`/${slug}`, options, {
      file: String(new URLSearchParams(form)),
      headers: { ...options?.headers, "Content-Type": "application/x-www-form-urlencoded" },
    });
  }
}
