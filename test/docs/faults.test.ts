import { expect, it } from "vitest";
import { FIELD_FAULTS, REFUSALS, RESOURCES } from "../../src/platform/http/fault-sentences.ts";
import { FAULT_CODES } from "../../src/platform/http/faults.ts";
import { codeSpansOf, readPage } from "./support/pages.ts";

// docs/api/errors.md lists each code once, and no other.

it("each code of a fault has its row with cause and remedy", () => {
  const rows = readPage("docs/api/errors.md").matchAll(/^\| (`[a-z0-9_]+`(?:, `[a-z0-9_]+`)*) \| (.+) \| (.+) \|$/gm);
  const listed = [...rows]
    .filter(([row]) => !/^\| `(?:path|code|message)` /.test(row))
    .flatMap(([, codes = ""]) => codeSpansOf(codes));
  expect(listed.toSorted()).toEqual([...FAULT_CODES].toSorted());
});

it("a code is a fault of a field or a refusal", () => {
  expect(Object.keys(FIELD_FAULTS).filter((code) => code in REFUSALS)).toEqual([]);
});

type Sentence = (values: object) => string;

it("nouns agree with their numbers", () => {
  const said = Object.values({ ...FIELD_FAULTS, ...REFUSALS } as Record<string, string | Sentence>)
    .filter((sentence) => typeof sentence !== "string")
    .flatMap((sentence) =>
      RESOURCES.map((resource) => {
        const ones = { max: 1, min: 1, actual: 1, days: 1, maxDepth: 1, maxHosts: 1, at: 5, line: 5, column: 5 };
        const words = { allowed: ["word"], expected: "string", example: "word", field: "word", reason: "word" };
        return sentence({
          ...ones,
          ...words,
          resource,
          value: "word",
          suggestion: "word",
          address: "word",
          level: "M",
        });
      }),
    );
  expect(said.join("\n")).toContain("There is 1 link already");
  for (const each of said)
    expect(each.replaceAll("1 to 1", "some")).not.toMatch(/\bare 1\b|\b1 (?:other |complete )?(?!is\b|alias\b)\w+s\b/);
});

const plain = (table: object) => Object.entries(table).filter(([, sentence]) => typeof sentence === "string");

it("the sentences of fields continue a name, and those of refusals stand alone", () => {
  for (const [code, sentence] of plain(FIELD_FAULTS)) expect(sentence, code).toMatch(/^[a-z].*[^.]$/);
  for (const [code, sentence] of plain(REFUSALS)) expect(sentence, code).toMatch(/^[A-Z].*\.$/);
});
