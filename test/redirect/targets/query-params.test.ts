import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addQuery } from "../../../src/redirect/targets/query-params.ts";
import { call, createAccount, createLink } from "../../support/api.ts";

/** Raw query strings, well-formed and malformed, of characters that a URL can hold. */
const rawQuery = fc
  .array(
    fc.oneof(
      fc.constantFrom("=", "&", "+", "%", "?", "/", ":", "@", ";", "[", "a", "b", "A", "utm_source="),
      fc.constantFrom(
        "%20",
        "%61",
        "%41",
        "%C3%A9",
        "%c3%a9",
        "%FF",
        "%ff",
        "%E2%82",
        "%2",
        "%zz",
        "%26",
        "%3D",
        "%0D%0A",
      ),
    ),
    { maxLength: 14 },
  )
  .map((parts) => parts.join(""));

const destination = fc
  .tuple(
    fc.constantFrom(
      "https://example.com",
      "http://user:pass@example.com:8080",
      "https://[2001:db8::1]",
      "https://ä.test",
    ),
    fc.constantFrom("/", "/a/b", "/a%2Fb", "/ü", "/a//b", "/a;p=1/"),
    fc.option(rawQuery),
    fc.option(fc.constantFrom("", "top", "a=1&b?c", "/route?x=1#y")),
  )
  .map(([origin, path, query, hash]) => {
    const search = query === null ? "" : `?${query}`;
    return new URL(`${origin}${path}${search}${hash === null ? "" : `#${hash}`}`).href;
  });

/** What URLSearchParams reads; it would drop a leading question mark. */
const readPairs = (query: string) => [...new URLSearchParams(`&${query}`)];

const rawParameters = (query: string) => query.split("&").filter((parameter) => parameter !== "");

describe("the visitor's parameters", () => {
  it("follow the destination's own in their order, without names that it has, as URLSearchParams reads them", () => {
    fc.assert(
      fc.property(destination, rawQuery, (location, query) => {
        const own = readPairs(new URL(location).search.slice(1));
        const added = readPairs(query).filter(([name]) => own.every(([ownName]) => ownName !== name));
        expect(readPairs(new URL(addQuery(location, query)).search.slice(1))).toEqual([...own, ...added]);
      }),
      { numRuns: 3_000 },
    );
  });

  it("change only the query of the destination", () => {
    fc.assert(
      fc.property(destination, rawQuery, (location, query) => {
        const [before, after] = [new URL(location), new URL(addQuery(location, query))];
        for (const part of ["protocol", "username", "password", "host", "pathname", "hash"] as const) {
          expect(after[part]).toBe(before[part]);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it("keep their encoding, like the destination's own", () => {
    fc.assert(
      fc.property(destination, rawQuery, (location, query) => {
        const result = addQuery(location, query);
        const [beforeHash = "", ...hash] = location.split("#");
        expect(result.startsWith(beforeHash)).toBe(true);
        expect(result.endsWith(hash.length === 0 ? "" : `#${hash.join("#")}`)).toBe(true);
        const [, ...search] = (result.split("#")[0] ?? "").split("?");
        const [, ...ownSearch] = beforeHash.split("?");
        const own = rawParameters(ownSearch.join("?"));
        const written = rawParameters(search.join("?"));
        expect(written.slice(0, own.length)).toEqual(own);
        const came = rawParameters(query);
        expect(written.slice(own.length)).toEqual(
          came.filter((parameter) => written.slice(own.length).includes(parameter)),
        );
      }),
      { numRuns: 1_000 },
    );
  });
});

it.each([
  ["https://example.com/", "a=1&a=2", "https://example.com/?a=1&a=2"],
  ["https://example.com/?", "a=1", "https://example.com/?a=1"],
  ["https://example.com/?b=1&", "a=1", "https://example.com/?b=1&a=1"],
  ["https://example.com/?b=1#top", "a=1", "https://example.com/?b=1&a=1#top"],
  ["https://example.com/#top", "a=1", "https://example.com/?a=1#top"],
  ["https://example.com/#/route?x=1", "x=2", "https://example.com/?x=2#/route?x=1"],
  ["https://example.com/?a=1", "a=2&b=3&%61=4", "https://example.com/?a=1&b=3"],
  ["https://example.com/?a%20b=1", "a+b=2&c", "https://example.com/?a%20b=1&c"],
  ["https://example.com/?a", "a=2", "https://example.com/?a"],
  ["https://example.com/?A=1", "a=2", "https://example.com/?A=1&a=2"],
  ["https://example.com/", "=x", "https://example.com/?=x"],
  ["https://example.com/?a=1&&b=2", "=x", "https://example.com/?a=1&&b=2&=x"],
  ["https://example.com/?%ff=1", "%FF=2", "https://example.com/?%ff=1"],
  ["https://example.com/", "", "https://example.com/"],
  ["https://example.com/?a=1#top", "&&", "https://example.com/?a=1#top"],
  ["https://example.com/", "a=%0D%0ASet-Cookie:b", "https://example.com/?a=%0D%0ASet-Cookie:b"],
  ["https://example.com/", "url=https://evil.example//", "https://example.com/?url=https://evil.example//"],
])("turns %s and %s into %s", (location, query, expected) => {
  expect(addQuery(location, query)).toBe(expected);
});

it("adds the visitor's parameters, from the database and from the memory cache", async () => {
  const { key } = await createAccount();
  await createLink(key, { slug: "tagged", url: "https://example.com/p?utm_source=print#part" });
  for (let visit = 0; visit < 2; visit++) {
    const response = await call("GET", "/tagged/?utm_source=web&gclid=a%2Bb&x=%C3%A9");
    expect(response.headers.get("Location")).toBe("https://example.com/p?utm_source=print&gclid=a%2Bb&x=%C3%A9#part");
  }
});

it("cannot be used to inject headers by destination or query", async () => {
  const { key } = await createAccount();
  const url = "https://example.com/%0d%0aSet-Cookie:%20a=1?b=%0d%0aX-Evil:%201#%0d%0aX-Evil:%202";
  await createLink(key, { slug: "injected", url });
  const { headers } = await call("GET", "/injected?c=%0d%0aX-Evil:%203&d=%0aX-Evil:4&e=\u0000");
  expect([...headers.keys()].sort()).toEqual([
    "cache-control",
    "location",
    "strict-transport-security",
    "x-request-id",
  ]);
  expect(headers.get("Location")).toMatch(/^https:\/\/example\.com\/%0d%0aSet-Cookie:[\x21-\x7e]+$/);
  for (const bad of ["https://example.com/\r\nX-Evil: 1", "https://example.com/\u0000", "https://example.com/a b"]) {
    expect((await call("POST", "/api/links", { key, body: { url: bad } })).status).toBe(400);
  }
});

it("encodes a destination in any script as ASCII", async () => {
  const { key } = await createAccount();
  await createLink(key, { slug: "unicode", url: "https://bücher.example/straße/日本?q=ü 😀#ж".replace(" ", "+") });
  for (let visit = 0; visit < 2; visit++) {
    expect((await call("GET", "/unicode?é=1")).headers.get("Location")).toBe(
      "https://xn--bcher-kva.example/stra%C3%9Fe/%E6%97%A5%E6%9C%AC?q=%C3%BC+%F0%9F%98%80&%C3%A9=1#%D0%B6",
    );
  }
});

it("removes the parameter of QR codes, and nothing like it", () => {
  expect(addQuery("https://example.com/", "qr=1")).toBe("https://example.com/");
  expect(addQuery("https://example.com/", "a=1&qr=1&b=2")).toBe("https://example.com/?a=1&b=2");
  expect(addQuery("https://example.com/", "qr=2&xqr=1&qr=1x")).toBe("https://example.com/?qr=2&xqr=1&qr=1x");
  expect(addQuery("https://example.com/?qr=1", "qr=2")).toBe("https://example.com/?qr=1");
});
