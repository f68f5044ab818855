import { expect, it } from "vitest";
import { MAX_NESTED_HOSTS, MAX_NESTED_URLS } from "#src/safety/screening/limits.ts";
import { readNestedUrls } from "#src/safety/screening/nested-urls.ts";

const nestedIn = (url: string) => readNestedUrls(url).urls.slice(1);

it.each([
  ["https://a.dev/", []],
  ["https://a.dev/?x=1&y=two#three", []],
  ["https://a.dev/?next=/account", []],
  ["https://a.dev/http/https", []],
  ["https://a.dev/?u=https%3A%2F%2Fb.dev%2F%3Fc%3D1%26d%3D2&e=f", ["https://b.dev/?c=1&d=2"]],
  ["https://a.dev/?u=https%253A%252F%252Fb.dev%252F", ["https://b.dev/"]],
  ["https://a.dev/go/https://b.dev/c?d=1&e=2", ["https://b.dev/c?d=1&e=2"]],
  ["https://a.dev/#to=//b.dev/c", ["http://b.dev/c"]],
  ["https://a.dev/?u=https:b.dev", ["https://b.dev"]],
  ["https://a.dev/?u=https%3A%2F%2Fb.dev%2F%0D", ["https://b.dev/"]],
  ["https://a.dev/?u=https%3A%2F%2Fb.dev%2F%0Ax", ["https://b.dev/x"]],
  ["https://a.dev/?u=h%09ttps%3A%2F%2Fb.dev%2F", ["https://b.dev/"]],
  [`https://a.dev/${btoa("https://b.dev/")}`, ["https://b.dev/"]],
  ["https://a.dev/?u=aHR0c%%%", []],
])("of %s", (url, expected) => {
  expect(nestedIn(url)).toEqual(expected);
});

it.each([
  ["u=b.dev", ["http://b.dev"]],
  ["u=b.dev%2Fc%3Fd%3D1", ["http://b.dev/c?d=1"]],
  ["u=b.dev:8443/c", ["http://b.dev:8443/c"]],
  ["u=b.dev:/c", ["http://b.dev:/c"]],
  ["u=b%0A.dev%09/", ["http://b.dev/"]],
  ["u=ann@b.dev/c", ["http://ann@b.dev/c"]],
  ["u=192.0.2.1./c", ["http://192.0.2.1./c"]],
  ["u=[64:ff9b::c000:201]/c", ["http://[64:ff9b::c000:201]/c"]],
  ["v=2.0&price=1.99&mail=ann@b.dev&q=e.g.+this&at=12:30", []],
])("hosts without a scheme in %s", (query, expected) => {
  for (const mark of ["?", "#"])
    expect(readNestedUrls(`https://a.dev/${mark}${query}`)).toMatchObject({ hosts: expected, hasMore: false });
});

it("words with a dot are no reason to refuse a destination, up to 64", () => {
  const carrying = (count: number) =>
    readNestedUrls(
      `https://a.dev/?${Array.from({ length: count }, (_, number) => `f${number}=order.part${number}.amount`).join("&")}`,
    );
  expect(carrying(MAX_NESTED_HOSTS).hasMore).toBe(false);
  expect(carrying(MAX_NESTED_HOSTS + 1).hasMore).toBe(true);
  const redirectors = `https://r.dev/?u=${encodeURIComponent(`https://s.dev/?u=${encodeURIComponent("https://t.dev/?utm_source=google.com")}`)}`;
  expect(readNestedUrls(redirectors)).toMatchObject({ urls: { length: 3 }, hasMore: false });
});

it("reads three levels and eight URLs, and tells of more", () => {
  const within = (url: string) => `https://a.dev/?u=${encodeURIComponent(url)}`;
  const three = within(within(within("https://b.dev/")));
  expect(nestedIn(three)).toHaveLength(3);
  expect(nestedIn(three)).toContain("https://b.dev/");
  expect(readNestedUrls(three).hasMore).toBe(false);
  expect(readNestedUrls(within(three)).hasMore).toBe(true);
  const carrying = (count: number) =>
    readNestedUrls(
      `https://a.dev/?${Array.from({ length: count }, (_, number) => `u=https://b${number}.dev/`).join("&")}`,
    );
  expect(carrying(MAX_NESTED_URLS)).toMatchObject({ urls: { length: MAX_NESTED_URLS + 1 }, hasMore: false });
  expect(carrying(MAX_NESTED_URLS + 1).hasMore).toBe(true);
  expect(carrying(500).urls).toHaveLength(MAX_NESTED_URLS + 1);
  // The same URL again is no further one.
  expect(readNestedUrls(`https://a.dev/?${"u=https://b.dev/&".repeat(500)}`).hasMore).toBe(false);
});
