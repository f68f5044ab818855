import { expect, it } from "vitest";
import { FIELD_FAULTS, REFUSALS } from "../../src/http/fault-sentences.ts";
import { FAULT_CODES } from "../../src/http/faults.ts";
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

const plain = (table: object) => Object.entries(table).filter(([, sentence]) => typeof sentence === "string");

it("the sentences of fields continue a name, and those of refusals stand alone", () => {
  for (const [code, sentence] of plain(FIELD_FAULTS)) expect(sentence, code).toMatch(/^[a-z].*[^.]$/);
  for (const [code, sentence] of plain(REFUSALS)) expect(sentence, code).toMatch(/^[A-Z].*\.$/);
});
