import { expect, it, vi } from "vitest";
import * as memoryCache from "../../src/redirect/lookup/memory-cache.ts";
import * as unknownSlugs from "../../src/redirect/lookup/unknown-slugs.ts";
import type { SlugCheck } from "../../src/links/slugs/contract.ts";
import { call, createAccount, jsonOf } from "../support/api.ts";
import { insertDomain } from "../support/domains.ts";
import { api } from "./support.ts";
import { ENTRY_FRESH_MS } from "../../src/redirect/limits.ts";

// Random changes of links at domains that are case-sensitive and that are not. After each of them, visitors, lists and
// checks of slugs find what a model finds.

const SENSITIVE = "exact.example";
const DOMAINS = ["tern.test", "folded.example", SENSITIVE] as const;
const SLUGS = ["abc", "Abc", "aBC", "ABC", "q-1", "Q-1"];
const STEPS = 60;

interface ModelLink {
  id: string;
  domain: string;
  slug: string;
  aliases: string[];
  isDeleted: boolean;
}

const keyOf = (domain: string, slug: string) => `${domain}/${domain === SENSITIVE ? slug : slug.toLowerCase()}`;
const keysOf = ({ domain, slug, aliases }: ModelLink) => [slug, ...aliases].map((text) => keyOf(domain, text));

class Model {
  readonly links: ModelLink[] = [];
  /** By key, the deleted link that a slug is kept for. */
  readonly kept = new Map<string, ModelLink>();

  at(domain: string, slug: string): ModelLink | undefined {
    return this.links.find((link) => !link.isDeleted && keysOf(link).includes(keyOf(domain, slug)));
  }

  /** Returns the status of the response. */
  create(id: string, domain: string, slug: string): number {
    if (this.at(domain, slug) !== undefined) return 409;
    this.kept.delete(keyOf(domain, slug));
    this.links.push({ id, domain, slug, aliases: [], isDeleted: false });
    return 201;
  }

  change(link: ModelLink, domain: string, slug: string): number {
    const holder = this.at(domain, slug);
    if (holder !== undefined && holder !== link) return 409;
    const isMoved = domain !== link.domain;
    const former = isMoved ? [] : [...link.aliases, link.slug];
    link.aliases = former.filter((text) => keyOf(domain, text) !== keyOf(domain, slug));
    Object.assign(link, { domain, slug });
    this.kept.delete(keyOf(domain, slug));
    return 200;
  }

  delete(link: ModelLink): void {
    link.isDeleted = true;
    for (const key of keysOf(link)) this.kept.set(key, link);
  }

  restore(link: ModelLink): number {
    const isKept = (slug: string) => this.kept.get(keyOf(link.domain, slug)) === link;
    if (!isKept(link.slug)) return 409;
    link.aliases = link.aliases.filter(isKept);
    for (const key of keysOf(link)) this.kept.delete(key);
    link.isDeleted = false;
    return 200;
  }
}

/** A generator of numbers from 0 to `below - 1` that is the same in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

let created = 0;
const nextUrl = () => `https://example.com/${created++}`;

it.each([1, 3])("finds links by slugs in any case as a model does (%i)", async (seed) => {
  const random = numbers(seed);
  const one = <T>(items: readonly T[]) => items[random(items.length)] as T;
  const { key, accountId } = await createAccount();
  await insertDomain(accountId, "folded.example");
  await insertDomain(accountId, SENSITIVE, { case_sensitive: 1 });
  const model = new Model();
  const urls = new Map<string, string>();
  vi.useFakeTimers({ toFake: ["Date"] });

  async function create(): Promise<void> {
    const links = Array.from({ length: 1 + random(3) }, () => ({
      url: nextUrl(),
      domain: one(DOMAINS),
      slug: one(SLUGS),
    }));
    const { results } = await api(key, "POST", "/api/links/bulk", { links });
    for (const [n, { url, domain, slug }] of links.entries()) {
      const made = results[n]?.link;
      expect(made === undefined ? 409 : 201).toBe(model.create(made?.id ?? "", domain, slug));
      if (made !== undefined) urls.set(made.id, url);
    }
  }

  async function upsert(): Promise<void> {
    const [domain, slug, url] = [one(DOMAINS), one(SLUGS), nextUrl()];
    const found = model.at(domain, slug);
    const { status, link } = await api(key, "PUT", "/api/links/upsert", { url, domain, slug });
    if (found === undefined) expect(model.create(link.id, domain, slug)).toBe(status);
    else {
      expect([status, link.id]).toEqual([200, found.id]);
      if (keyOf(domain, found.slug) === keyOf(domain, slug)) found.slug = slug;
    }
    urls.set(link.id, url);
  }

  async function change(link: ModelLink): Promise<void> {
    const domain = random(2) === 0 ? link.domain : one(DOMAINS);
    const slug = one(SLUGS);
    const aliases = domain === link.domain ? {} : { aliases: [] };
    const { status } = await api(key, "PATCH", `/api/links/${link.id}`, { domain, slug, ...aliases });
    expect(status).toBe(model.change(link, domain, slug));
  }

  async function remove(link: ModelLink): Promise<void> {
    model.delete(link);
    expect((await api(key, "DELETE", `/api/links/${link.id}`)).status).toBe(200);
  }

  async function restore(link: ModelLink): Promise<void> {
    expect((await api(key, "POST", `/api/links/${link.id}/restore`)).status).toBe(model.restore(link));
  }

  async function step(): Promise<void> {
    const present = model.links.filter(({ isDeleted }) => !isDeleted);
    const deleted = model.links.filter(({ isDeleted }) => isDeleted);
    const choice = random(8);
    if (choice >= 6 && deleted.length > 0) return restore(one(deleted));
    if (choice >= 4 && present.length > 0) return remove(one(present));
    if (choice >= 2 && present.length > 0) return change(one(present));
    return choice === 1 ? upsert() : create();
  }

  async function compare(domain: string, slug: string): Promise<void> {
    const expected = model.at(domain, slug);
    const visit = await call("GET", `https://${domain}/${slug}`);
    expect(visit.headers.get("Location"), `${domain}/${slug}`).toBe(urls.get(expected?.id ?? "") ?? null);
  }

  /** The check of a slug says what a creation would find. */
  async function compareCheck(domain: string, slug: string): Promise<void> {
    const [present, kept] = [model.at(domain, slug), model.kept.get(keyOf(domain, slug))];
    const response = await call("GET", `/api/slugs/${slug}?domain=${domain}`, { key });
    const { slug: checked } = await jsonOf<{ slug: SlugCheck }>(response);
    expect(checked, `${domain}/${slug}`).toMatchObject({
      available: present === undefined,
      reason: present === undefined ? (kept === undefined ? null : "deleted") : "own",
      linkId: (present ?? kept)?.id ?? null,
    });
    const { suggestion } = checked;
    if (suggestion !== null) expect(model.at(domain, suggestion)).toBeUndefined();
  }

  for (let n = 0; n < STEPS; n++) {
    // All visits are made in one second.
    unknownSlugs.clear();
    // Sometimes the memory cache, or both caches, have nothing fresh.
    if (random(4) === 0) memoryCache.clear();
    if (random(4) === 0) vi.setSystemTime(Date.now() + random(2 * ENTRY_FRESH_MS));
    const visits = Array.from({ length: 4 }, () => [one(DOMAINS), one(SLUGS)] as const);
    for (const [domain, slug] of visits) await compare(domain, slug);
    await compareCheck(one(DOMAINS), one(SLUGS));
    await step();
    // What the first visits left in the caches must not be used for what changed.
    for (const [domain, slug] of visits) await compare(domain, slug);
  }
  unknownSlugs.clear();
  for (const domain of DOMAINS) {
    for (const slug of SLUGS) {
      await compare(domain, slug);
      await compareCheck(domain, slug);
      const { links } = await api(key, "GET", `/api/links?slug=${slug}&domain=${domain}`);
      const expected = model.at(domain, slug);
      expect(links.map(({ id, slug, aliases }) => ({ id, slug, aliases }))).toEqual(
        expected === undefined ? [] : [{ id: expected.id, slug: expected.slug, aliases: expected.aliases }],
      );
    }
  }
  for (const slug of SLUGS) {
    const { links } = await api(key, "GET", `/api/links?slug=${slug}`);
    const expected = DOMAINS.flatMap((domain) => model.at(domain, slug)?.id ?? []);
    expect(links.map(({ id }) => id).toSorted()).toEqual(expected.toSorted());
  }
});
