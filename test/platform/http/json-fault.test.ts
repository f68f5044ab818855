import { describe, expect, it } from "vitest";
import { findJsonFault } from "../../../src/platform/http/json-fault.ts";
import { call, createAccount, jsonOf, type ErrorJson } from "../../support/api.ts";

describe("a body that is not valid JSON", () => {
  it.each([
    ['{"url": "https://example.com/"', 1, 31, "ends_early"],
    ["{'url': 'https://example.com/'}", 1, 2, "no_quotes"],
    ['{\n  "url": "https://example.com/",\n}', 2, 32, "comma_too_many"],
    ['{"url": "https://example.com/" "slug": "x"}', 1, 32, "no_comma"],
    ['{url: "https://example.com/"}', 1, 2, "no_quotes"],
    ['{"url": https://example.com/}', 1, 9, "not_a_value"],
    ['{"disabled": True}', 1, 14, "not_a_value"],
    ['{"tags": ["a" "b"]}', 1, 15, "no_comma"],
    ['{"url" "https://example.com/"}', 1, 8, "no_colon"],
    ['{"url": ', 1, 9, "ends_early"],
    ['{"title": "a\nb"}', 1, 13, "control_character"],
    [String.raw`{"title": "C:\temp\x"}`, 1, 19, "bad_escape"],
    ['{"title": "spring}', 1, 11, "open_text"],
    ['{"url": "https://example.com/"} {}', 1, 33, "after_end"],
    ["url=https://example.com/", 1, 1, "not_a_value"],
    ['{"maxClicks": 01}', 1, 16, "no_comma"],
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
