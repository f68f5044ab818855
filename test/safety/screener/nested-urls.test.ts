import { expect, it } from "vitest";
import { MAX_NESTED_URLS } from "#src/safety/screener/limits.ts";
import { withNestedUrls } from "#src/safety/screener/nested-urls.ts";

const nestedIn = (url: string) => withNestedUrls(url).slice(1);

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

it("goes three levels deep, and takes eight URLs at most", () => {
  const within = (url: string) => `https://a.dev/?u=${encodeURIComponent(url)}`;
  const deep = within(within(within(within("https://b.dev/"))));
  expect(nestedIn(deep)).toHaveLength(3);
  expect(nestedIn(within(within(within("https://b.dev/"))))).toContain("https://b.dev/");
  const many = Array.from({ length: 500 }, (_, number) => `u=https://b${number}.dev/`).join("&");
  expect(nestedIn(`https://a.dev/?${many}`)).toHaveLength(MAX_NESTED_URLS);
});
