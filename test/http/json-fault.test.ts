import { describe, expect, it } from "vitest";
import { findJsonFault } from "../../src/http/json-fault.ts";
import { call, createAccount, jsonOf, type ErrorJson } from "../support/api.ts";

describe("a body that is not valid JSON", () => {
  it.each([
    ['{"url": "https://example.com/"', 1, 31, "the body ends where a comma or } must be"],
    ["{'url': 'https://example.com/'}", 1, 2, "texts are in double quotes"],
    ['{\n  "url": "https://example.com/",\n}', 2, 32, "the comma before } is one too many"],
    ['{"url": "https://example.com/" "slug": "x"}', 1, 32, "there must be a comma or }"],
    ['{url: "https://example.com/"}', 1, 2, "a name must be in double quotes"],
    ['{"url": https://example.com/}', 1, 9, "https is not a JSON value"],
    ['{"disabled": True}', 1, 14, "True is not a JSON value"],
    ['{"tags": ["a" "b"]}', 1, 15, "there must be a comma or ]"],
    ['{"url" "https://example.com/"}', 1, 8, "there must be a colon"],
    ['{"url": ', 1, 9, "the body ends where a value must be"],
    [
      '{"title": "a\nb"}',
      1,
      13,
      String.raw`a line break or another control character in a text must be escaped, such as \n`,
    ],
    [String.raw`{"title": "C:\temp\x"}`, 1, 19, String.raw`a backslash in a text must be written \\`],
    ['{"title": "spring}', 1, 11, "the closing quote of this text is missing"],
    ['{"url": "https://example.com/"} {}', 1, 33, "nothing may follow the value"],
    ["url=https://example.com/", 1, 1, "url is not a JSON value"],
    ['{"maxClicks": 01}', 1, 16, "there must be a comma or }"],
  ])("is answered with the position: %j", async (body, line, column, reason) => {
    const { key } = await createAccount();
    const response = await call("POST", "/api/links", { key, body });
    const fault = { path: "", code: "not_json", line, column, reason };
    expect([response.status, await jsonOf<ErrorJson>(response)]).toMatchObject([
      400,
      { code: "invalid_request", details: [fault] },
    ]);
  });
});

/** Texts that are JSON, and each with one character deleted, doubled or replaced. */
function* variants(): Generator<string> {
  const texts = [
    '{"a":[1,-2.5e+3,true,false,null,"\\u00e9\\n"],"b":{"c":"d"}, "e": [ ], "f": {} }',
    ' "x" ',
    "[0]",
    "-0.1E2",
  ];
  for (const text of texts) {
    yield text;
    for (let index = 0; index < text.length; index++) {
      const [before, after] = [text.slice(0, index), text.slice(index + 1)];
      for (const character of ["", (text[index] as string).repeat(2), "x", ",", '"', "}", "0", "\\", "\n"])
        yield before + character + after;
    }
  }
}

it("finds a fault exactly where JSON.parse does", () => {
  for (const text of variants()) {
    let isValid = true;
    try {
      JSON.parse(text);
    } catch {
      isValid = false;
    }
    expect([text, findJsonFault(text) === null]).toEqual([text, isValid]);
  }
});
