import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { call, createAccount, createLink } from "../support/api.ts";
import { MAX_TAG_CHARS, MAX_TAGS_PER_LINK } from "../../src/limits.ts";
import { MAX_SEARCH_CHARS, SEARCHED_URL_CHARS } from "../../src/links/limits.ts";
import { list, slugs } from "./support.ts";

describe("the search", () => {
  it("finds text in slug, URL and title in any case, and nothing else", async () => {
    const { key } = await createAccount();
    await createLink(key, { slug: "a-Spring", url: "https://example.com/1", title: "One" });
    await createLink(key, { slug: "b", url: "https://example.com/SPRING?q=%22x%22", title: "Two" });
    await createLink(key, { slug: "c", url: "https://example.com/3", title: 'Das "Ende" — Ärger 🌷🌷🌷' });
    await createLink(key, { slug: "d", url: "https://example.com/4", tags: ["spring"] });
    expect(await slugs(key, "?search=spring")).toEqual(["b", "a-Spring"]);
    expect(await slugs(key, "?search=pri&order=asc")).toEqual(["a-Spring", "b"]);
    expect(await slugs(key, `?search=${encodeURIComponent('"ende"')}`)).toEqual(["c"]);
    expect(await slugs(key, `?search=${encodeURIComponent("ärger")}`)).toEqual(["c"]);
    expect(await slugs(key, `?search=${encodeURIComponent("🌷🌷🌷")}`)).toEqual(["c"]);
    expect(await slugs(key, "?search=example.com%2F4")).toEqual(["d"]);
    for (const hostile of ['" OR slug:"a', "account:*", "spring NOT x", "(spr", "NEAR(a b)", "%25%25%25", "___"]) {
      expect(await slugs(key, `?search=${encodeURIComponent(hostile)}`)).toEqual([]);
    }
  });

  it("finds ordinary letters for those of full width", async () => {
    const { key } = await createAccount();
    await createLink(key, { slug: "one", title: "Summer SALE 2026" });
    await createLink(key, { slug: "two", title: "夏のＳＡＬＥ" });
    const of = (search: string) => slugs(key, `?search=${encodeURIComponent(search)}`);
    expect(await of("ｓａｌｅ")).toEqual(["two", "one"]);
    expect(await of("２０２６ ｓｕｍ")).toEqual(["one"]);
    expect(await of("夏のＳＡＬＥ")).toEqual(["two"]);
  });

  it("finds links that have all words, in any order and in any field", async () => {
    const { key } = await createAccount();
    const of = (search: string) => slugs(key, `?search=${encodeURIComponent(search)}`);
    await createLink(key, { slug: "one", url: "https://example.com/webinar", title: "Spring 26: Über_uns" });
    await createLink(key, {
      slug: "two",
      url: "https://example.com/2",
      title: "Spring sale 27",
      externalId: "Webinar-1",
    });
    await createLink(key, { slug: "three", url: "https://example.com/3", title: "Summer webinar" });
    expect(await of("webinar spring")).toEqual(["two", "one"]);
    expect(await of("spring webinar")).toEqual(["two", "one"]);
    expect(await of("  SPRING   inar ")).toEqual(["two", "one"]);
    expect(await of("webinar spring autumn")).toEqual([]);
    // Words that are too short for the index.
    expect(await of("spring 26")).toEqual(["one"]);
    expect(await of("26 spring")).toEqual(["one"]);
    expect(await of("ÜB spring")).toEqual(["one"]);
    expect(await of("üb spring")).toEqual(["one"]);
    expect(await of("r_ spring")).toEqual(["one"]);
    expect(await of("% spring")).toEqual([]);
    expect(await of("\\ spring")).toEqual([]);
    expect(await of("w x y z spring")).toEqual([]);
    expect((await list(key, "?search=spring%2026&count=true")) as object).toMatchObject({ count: { value: 1 } });
  });

  it("finds phrases between quotation marks, and takes other quotation marks as text", async () => {
    const { key } = await createAccount();
    const of = (search: string) => slugs(key, `?search=${encodeURIComponent(search)}`);
    await createLink(key, { slug: "one", title: "Spring webinar" });
    await createLink(key, { slug: "two", title: "Webinar of spring" });
    await createLink(key, { slug: "pipe", title: 'A 5" pipe, say "go tv"' });
    expect(await of('"spring webinar"')).toEqual(["one"]);
    expect(await of("“spring webinar”")).toEqual(["one"]);
    expect(await of('"spring web')).toEqual(["one"]);
    expect(await of('spring "webinar of"')).toEqual(["two"]);
    expect(await of('5" pipe')).toEqual(["pipe"]);
    expect(await of('pipe 6"')).toEqual([]);
    expect(await of("go tv")).toEqual(["pipe"]);
    expect(await of("tv go")).toEqual([]);
    expect(await of('"tv" pipe ""')).toEqual(["pipe"]);
    for (const data of [
      '"""',
      '" "',
      '"a"',
      "AND OR NOT",
      "spring -webinar",
      "^spring",
      "spri*",
      "title:spring",
      "a + b",
    ])
      expect(await of(data), data).toEqual([]);
  });

  it("folds the case of all letters, ß and ss included", async () => {
    const { key } = await createAccount();
    const of = (search: string) => slugs(key, `?search=${encodeURIComponent(search)}`);
    await createLink(key, { slug: "one", title: "Straße" });
    await createLink(key, { slug: "two", title: "GROSSE STRASSENMESSE" });
    await createLink(key, { slug: "three", title: "Große Straßenmesse, ΛΌΓΟΣ" });
    await createLink(key, { slug: "four", title: "STRAẞE" });
    await createLink(key, { slug: "none", title: "strase stra" });
    for (const search of ["straße", "STRASSE", "strasse", "STRAẞE"])
      expect(await of(search), search).toEqual(["four", "three", "two", "one"]);
    for (const search of ["strassen", "STRASSENMESSE", "straßenmesse", "große messe"])
      expect(await of(search), search).toEqual(["three", "two"]);
    expect(await of("λόγος")).toEqual(["three"]);
    expect(await of('"große straßen"')).toEqual(["three", "two"]);
    await createLink(key, { slug: "foot", title: "Fuß" });
    expect(await of("fuss")).toEqual(["foot"]);
    await createLink(key, { slug: "many", title: "ssßssßss" });
    expect(await of("ssßssßss")).toEqual(["many"]);
  });

  it("finds words of scripts without spaces", async () => {
    const { key } = await createAccount();
    const of = (search: string) => slugs(key, `?search=${encodeURIComponent(search)}`);
    await createLink(key, { slug: "tower", title: "東京タワーの割引券" });
    await createLink(key, { slug: "osaka", title: "大阪の割引券" });
    expect(await of("タワー")).toEqual(["tower"]);
    expect(await of("割引券")).toEqual(["osaka", "tower"]);
    expect(await of("割引券 東京")).toEqual(["tower"]);
    expect(await of("割引券\u3000大阪")).toEqual(["osaka"]);
  });

  it("finds no text that only has all trigrams of a word, or has them in tags and domains", async () => {
    const { key } = await createAccount();
    const of = (search: string) => slugs(key, `?search=${encodeURIComponent(search)}`);
    await createLink(key, { slug: "whole", title: "Banana split", tags: ["ban", "split pea"] });
    await createLink(key, { slug: "parts", title: "Anan, ban and nanas", tags: ["split-ban", "ban-pea"] });
    expect(await of("banana")).toEqual(["whole"]);
    expect(await of("nanas")).toEqual(["parts"]);
    expect(await of("split")).toEqual(["whole"]);
    expect(await slugs(key, "?tag=ban")).toEqual(["whole"]);
    expect(await slugs(key, "?tag=split-pea")).toEqual([]);
    expect(await slugs(key, "?tag=split-ban&tag=ban-pea&tagMode=all")).toEqual(["parts"]);
    expect(await slugs(key, "?tag=ban&tag=ban-pea")).toEqual(["parts", "whole"]);
  });

  it("finds URLs by all of their characters, the scheme included", async () => {
    const { key } = await createAccount();
    const of = (search: string) => slugs(key, `?search=${encodeURIComponent(search)}`);
    await createLink(key, { slug: "safe", url: "https://example.com/about" });
    await createLink(key, { slug: "plain", url: "http://example.com/about" });
    await createLink(key, { slug: "text", url: "https://example.org/", title: "https: no URL" });
    for (const search of ["https", "HTTPS:", "https://", "tps:/", "s://", "ps:"])
      expect(await of(search), search).toEqual(["text", "safe"]);
    for (const search of ["https://exa", "s://e", "https://example.com", '"https://example.com/about"'])
      expect((await of(search)).includes("plain"), search).toBe(false);
    expect(await of("https://example.com/about")).toEqual(["safe"]);
    expect(await of("http://")).toEqual(["plain"]);
    expect(await of("p://e")).toEqual(["plain"]);
    expect(await of("://example.com")).toEqual(["plain", "safe"]);
    expect(await of("/about")).toEqual(["plain", "safe"]);
    expect(await of("https: no")).toEqual(["text"]);
    expect(await of("https about")).toEqual(["safe"]);
  });

  it("finds words of the greatest length, in any alphabet", async () => {
    const { key } = await createAccount();
    const of = (search: string) => slugs(key, `?search=${encodeURIComponent(search)}`);
    const titles = {
      ascii: "The_longest_word_of_the_search_has_fifty_characters",
      signs: "%_\\".repeat(17),
      cyrillic: "Достопримечательностивокругнашегогороданаберегуреки",
      japanese:
        "東京タワーの割引券と大阪城の入場券をまとめて予約できる特別な春の旅行案内のページへのリンクです。詳細は",
      emoji: "🌷🌱🌳🌴🌵🌾🌿🍀🍁🍂🍃🌷🌱🌳🌴🌵🌾🌿🍀🍁🍂🍃🌷🌱🌳",
    };
    for (const [slug, title] of Object.entries(titles)) await createLink(key, { slug, title });
    for (const [slug, title] of Object.entries(titles)) {
      const longest = title.slice(0, MAX_SEARCH_CHARS);
      expect(await of(longest), slug).toEqual([slug]);
      expect(await of(longest.toUpperCase()), slug).toEqual([slug]);
    }
    expect(await of(titles.ascii.slice(0, MAX_SEARCH_CHARS).replace("search", "summer"))).toEqual([]);
  });

  it("finds links by all filters at their greatest length", async () => {
    const { key } = await createAccount();
    const tags = Array.from({ length: MAX_TAGS_PER_LINK }, (_, number) => `${number}é"\\`.padEnd(MAX_TAG_CHARS, "ab"));
    await createLink(key, { slug: "tagged", title: "ä b c d e f g h i j k l m n o p q r s t u v w xyz", tags });
    const query = new URLSearchParams({
      tagMode: "all",
      status: "active",
      search: "ä b c d e f g h i j k l m n o p q r s t u v w xyz",
    });
    for (const tag of tags) query.append("tag", tag);
    expect(await slugs(key, `?${query.toString()}`)).toEqual(["tagged"]);
    query.set("tagMode", "any");
    expect(await slugs(key, `?${query.toString()}`)).toEqual(["tagged"]);
  });

  it("finds letters of other alphabets in any case", async () => {
    const { key } = await createAccount();
    const of = (search: string) => slugs(key, `?search=${encodeURIComponent(search)}`);
    await createLink(key, { slug: "russian", title: "Летняя РаспроДажа" });
    await createLink(key, { slug: "french", title: "L'été à Évian" });
    for (const search of ["распродажа", "РАСПРОДАЖА", "летняя расп", "ЛЕТ"])
      expect(await of(search), search).toEqual(["russian"]);
    for (const search of ["ÉTÉ", "évian", "l'Été", "été évi"]) expect(await of(search), search).toEqual(["french"]);
    expect(await of("летпрод")).toEqual([]);
  });

  it("finds a link by its new values after an update", async () => {
    const { key } = await createAccount();
    const link = await createLink(key, { slug: "before", title: "Winter", tags: ["cold"] });
    await call("PATCH", `/api/links/${link.id}`, { key, body: { title: "Summer", tags: ["warm"] } });
    expect(await slugs(key, "?search=winter")).toEqual([]);
    expect(await slugs(key, "?tag=cold")).toEqual([]);
    expect(await slugs(key, "?search=summer&tag=warm")).toEqual(["before"]);
    await call("DELETE", `/api/links/${link.id}`, { key });
    expect(await slugs(key, "?search=summer")).toEqual([]);
  });
});

it("finds a text at the start of a long URL, and not beyond it", async () => {
  const { key } = await createAccount();
  const start = "https://example.com/?".padEnd(SEARCHED_URL_CHARS - 5, "x");
  await createLink(key, { slug: "long", url: `${start}within-beyond` });
  expect(await slugs(key, "?search=withi")).toEqual(["long"]);
  expect(await slugs(key, "?search=within")).toEqual([]);
  expect(await slugs(key, `?url=${encodeURIComponent(`${start}within-beyond`)}`)).toEqual(["long"]);
});

it("updates the search index with every change of a link", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const { key } = await createAccount();
  await call("POST", "/api/shorten", { body: { url: "https://example.com/anonymous" } });
  const links = [];
  for (let number = 0; number < 12; number++)
    links.push(await createLink(key, { tags: [`t${number}`], expiresAt: Date.now() + 5_000, title: `T ${number}` }));
  for (const [number, { id }] of links.entries()) {
    if (number % 3 === 0)
      await call("PATCH", `/api/links/${id}`, {
        key,
        body: { slug: `changed-${number}`, tags: null, url: "https://example.org/" },
      });
    if (number % 4 === 0) await call("DELETE", `/api/links/${id}`, { key });
    if (number % 5 === 0) await call("PATCH", `/api/links/${id}`, { key, body: { slug: "changed-3" } });
  }
  vi.setSystemTime(Date.now() + 5_000);
  expect(await slugs(key, "?status=expired&search=example")).toHaveLength(9);
  await env.DB.prepare("INSERT INTO links_fts (links_fts, rank) VALUES ('integrity-check', 1)").run();
});
