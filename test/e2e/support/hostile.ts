import * as fc from "fast-check";

/** Texts that attackers and faulty programs send. */
const HOSTILE_TEXTS = [
  "",
  " ",
  "\0",
  "\u0000\u001f\u007f",
  "null",
  "undefined",
  "NaN",
  "-1",
  "9".repeat(400),
  "a".repeat(10_000),
  "é".repeat(5_000),
  "\u{1f680}".repeat(300),
  "\ud800",
  "\udfff\ud800",
  "\u202eevil",
  "\ufeffbom",
  "İı\u0130ß",
  "' OR 1=1 --",
  "'; DROP TABLE links; --",
  '" OR ""="',
  "%' ESCAPE '%",
  "\u001fsale\u001f",
  "a* OR b NEAR(c d)",
  '"unbalanced',
  "<script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "</title><svg onload=alert(1)>",
  "javascript:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  "https://tern.test/loop",
  "http://[::1]:80/",
  "http://user:pass@example.com/",
  "https://example.com\\@evil.example/",
  "https://example.com/\r\nSet-Cookie: a=b",
  "//evil.example",
  "https://a..b/",
  "https:///evil.example",
  "https://user@tern.test./loop",
  "https://xn--a.example/\u202e",
  "acme:\\x?\"'<>",
  "acme://[",
  "https://",
  "http://a.b:99999/",
  "https://xn--/",
  "../../../../etc/passwd",
  "..%2f..%2f",
  "%00%0d%0a",
  "%",
  "{{7*7}}${7*7}",
  "__proto__",
  "constructor",
  "toString",
  "1e309",
  "2030-01-31T12:00:00Z",
  "9999-99-99T99:99:99Z",
  "+010000-01-01T00:00:00Z",
  "Europe/Berlin",
  "Etc/../../UTC",
] as const;

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...HOSTILE_TEXTS),
  fc.string({ unit: "binary", maxLength: 80 }),
);

const HOSTILE_NUMBERS = [0, -0, -1, 0.1, 1e308, -1e308, 2 ** 31, 2 ** 53, 2 ** 53 + 2, 253_402_300_800_000, 5e-324];

/** Any JSON value. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: hostileText },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(...HOSTILE_NUMBERS, true, false, null, [], {}, [[]], [null]) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.constant(deep(200)) },
);

/** Bodies that do not match the content type, or barely. */
export const hostileBody: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    "",
    "{",
    "[]",
    "null",
    '"text"',
    "1",
    "{} {}",
    '{"url":"https://a.example/","url":"https://b.example/"}',
    '{"__proto__":{"admin":true},"url":"https://a.example/"}',
    '{"url":"https://a.example/","geo":{"__proto__":"javascript:1"}}',
    '{"url":"https://a.example/","rules":[{"__proto__":{"os":["iOS"]},"url":"https://b.example/"}]}',
    '{"appleAppSiteAssociation":{"__proto__":{"apps":["x"]},"a":{"__proto__":1}}}',
    '\ufeff{"url":"https://a.example/"}',
    "[".repeat(20_000),
    `{"a":${"[".repeat(5_000)}${"]".repeat(5_000)}}`,
    `{"url":"${"a".repeat(66_000)}"}`,
    "url=https%3A%2F%2Fa.example%2F",
  ),
  fc.string({ unit: "binary", maxLength: 200 }),
);

function deep(levels: number): unknown {
  return levels === 0 ? null : [deep(levels - 1)];
}
