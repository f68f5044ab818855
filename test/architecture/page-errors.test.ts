import { beforeEach, describe, expect, it } from "vitest";
import { TECHNICAL_FIELDS, TECHNICAL_REFUSALS } from "../../dashboard/src/api/fault-texts.ts";
import type { ErrorBody, Fault } from "../../dashboard/src/api/error-body.ts";
import type * as PlainError from "../../dashboard/src/api/plain-error.ts";
import { STATUS_OF_CODE } from "../../src/platform/http/error-body.ts";
import { FIELD_FAULTS, REFUSALS, RESOURCES } from "../../src/platform/http/fault-sentences.ts";
import { because, FAULT_CODES, fault } from "../../src/platform/http/faults.ts";
import { LANGUAGES } from "../../src/platform/languages.ts";
import { VERDICT_REASONS } from "../../src/redirect/verdict.ts";
import { plainErrorIn, TEXTS, type Text } from "../support/page-errors.ts";

// The pages show errors by their codes, in words of their own.

/** What no text of a page may have: methods, paths, escapes, headers, variables and names of fields. */
const FOR_PROGRAMMERS =
  /\b(?:GET|POST|PUT|PATCH|DELETE)\b|\/api\/|%2[0-9A-F]|[?&][a-z]+=|Bearer|Idempotency-Key|Content-Type|ETag|\b[A-Z]+_[A-Z_]+\b|\b[a-z]+[A-Z]\w*|\bcursor\b|\bnull\b/;

/** Values for all codes. The names of fields and what is accepted are in words when a text gets them. */
const VALUES = {
  actual: 3,
  address: "192.0.2.1",
  allowed: ["one", 2],
  at: 4,
  column: 5,
  days: 6,
  example: "an-example",
  expected: "apple_app_id",
  field: "destination",
  level: "H",
  line: 7,
  max: 1_234,
  maxDepth: 8,
  maxHosts: 9,
  min: 10,
  reason: "a reason in English",
  suggestion: "a-suggestion",
  unit: "bytes",
  value: "a-value",
};
const ONLY_REQUIRED = { ...VALUES, actual: undefined, suggestion: undefined, value: undefined, at: undefined };

/** What the text says, with different values. */
function saysOf(text: Text): string[] {
  if (typeof text === "string") return [text];
  const say = text as (values: object) => string;
  const said = RESOURCES.flatMap((resource) => [
    say({ ...VALUES, resource }),
    say({ ...VALUES, resource, max: 1, min: 1, actual: 1 }),
  ]);
  return [...new Set(said)];
}

/** The values that the sentence of the service can do without, which it says nothing of then. */
const OPTIONAL = new Map(
  Object.entries({ ...FIELD_FAULTS, ...REFUSALS } as Record<string, Text>).filter(([, sentence]) => {
    if (typeof sentence === "string") return false;
    const said = (sentence as (values: object) => string)({ ...ONLY_REQUIRED, resource: "link" });
    return !/undefined|NaN/.test(said);
  }),
);

const errorWith = (...details: Fault[]): ErrorBody => ({ error: "English.", code: "invalid_request", details });

describe.each(Object.keys(LANGUAGES))("the errors of the pages in %s", (language) => {
  const texts = TEXTS.get(language) ?? expect.fail(`There are no texts in ${language}.`);
  const { fieldFaults, refusals, plainErrors } = texts;
  let page: typeof PlainError;
  beforeEach(async () => {
    page = await plainErrorIn(texts);
  });

  it("have a text for each kind of error and for each code, and for no other one", () => {
    expect(Object.keys(plainErrors.codes).sort()).toEqual(Object.keys(STATUS_OF_CODE).sort());
    expect([fieldFaults, refusals, TECHNICAL_FIELDS, TECHNICAL_REFUSALS].flatMap(Object.keys).sort()).toEqual(
      [...FAULT_CODES].sort(),
    );
    expect(Object.keys(fieldFaults).filter((code) => !(code in FIELD_FAULTS))).toEqual([]);
  });

  it("name no methods, paths, headers and fields of the API", () => {
    const shown = [
      ...Object.values(plainErrors.codes),
      ...Object.values(plainErrors.fields),
      ...[...Object.values(fieldFaults), ...Object.values(refusals)].flatMap(saysOf),
    ];
    // Names of systems and units, and the marks around what is inserted.
    const isForProgrammers = (text: string) =>
      FOR_PROGRAMMERS.test(text.replaceAll(/macOS|iOS|iPhones?|iPads?|\bkB\b|[\u2066-\u2069]/g, ""));
    expect(shown.filter(isForProgrammers)).toEqual([]);
  });

  it("are whole with the values of their codes, also without those that a code can do without", () => {
    for (const [code, text] of Object.entries({ ...fieldFaults, ...refusals })) {
      const least = OPTIONAL.has(code) && typeof text === "function" ? text : null;
      const says = [
        ...saysOf(text),
        ...(least === null ? [] : [(least as (values: object) => string)({ ...ONLY_REQUIRED, resource: "link" })]),
      ];
      for (const said of says) expect(`${code}: ${said}`).not.toMatch(/undefined|NaN|null|object Object|: $/);
      // A text of a field continues its name, and gets its full stop with it.
      const isSentence = code in refusals;
      for (const said of says) expect([code, said.endsWith(".")]).toEqual([code, isSentence]);
    }
  });

  it("join the name of the field and the text", () => {
    const destination = plainErrors.named(plainErrors.fields.url);
    const invalid = fault("rules.0.url", "not_http");
    expect(page.plainError(errorWith(invalid))).toEqual({
      error: `${destination} ${fieldFaults["not_http"] as string}.`,
      code: "invalid_request",
      details: [{ path: "rules.0.url", code: "not_http", message: fieldFaults["not_http"], isSentence: false }],
    });
    expect(page.plainError(errorWith(fault("somethingNew", "required"))).error).toBe(
      `${plainErrors.entry} ${fieldFaults["required"] as string}.`,
    );
    expect(page.plainReason(because("not_http"))).toBe(fieldFaults["not_http"]);
  });

  it("say fields and what is accepted in words", () => {
    const { error } = page.plainError(errorWith(fault("startsAt", "not_before", { field: "expiresAt" })));
    expect(error).toContain(plainErrors.fields.expiresAt);
    expect(page.plainError(errorWith(fault("url", "needs", { field: "somethingNew" }))).error).toContain(
      plainErrors.other,
    );
    const choice = page.plainError(errorWith(fault("mode", "not_one_of", { allowed: ["linkIds", "all", 7] })));
    expect(choice.error).toContain(plainErrors.fields.linkIds);
    expect(choice.error).not.toContain("linkIds");
  });

  it("are whole sentences where a request was refused, with the field that it is about", () => {
    const taken = fault("slug", "taken", { field: "slug", value: "a.b" });
    const { error, details } = page.plainError({ ...errorWith(taken), code: "conflict" });
    expect(error).toBe(
      (refusals["taken"] as (values: object) => string)({ field: plainErrors.fields.slug, value: "a.b" }),
    );
    expect(error).toContain("a.b");
    expect(details).toEqual([{ path: "slug", code: "taken", message: error, isSentence: true }]);
    expect(page.plainFailure(fault("", "file_empty"))).toBe(refusals["file_empty"]);
  });

  it("say what only programmers meet in a few words, or as the kind of the error", () => {
    const of = (path: string, code: string) =>
      page.plainError({
        error: "English.",
        code: "forbidden",
        details: [{ path, code, message: "English", ...VALUES, resource: "link" } as Fault],
      }).error;
    for (const [code, alike] of Object.entries(TECHNICAL_FIELDS))
      expect(of("url", code)).toBe(`${plainErrors.named(plainErrors.fields.url)} ${plainErrors.technical[alike]}.`);
    for (const [code, kind] of Object.entries(TECHNICAL_REFUSALS))
      expect(of("", code)).toBe(plainErrors.codes[kind ?? "forbidden"]);
  });

  it("without faults are those of their kind, and those of a newer service of the service itself", () => {
    const of = (code: string) => page.plainError({ error: "English.", code }).error;
    expect(of("wrong_password")).toBe(plainErrors.codes.wrong_password);
    expect(of("something_new")).toBe(plainErrors.codes.internal);
    const newer = { path: "url", code: "something_new", message: "English" } as unknown as Fault;
    expect(page.plainError(errorWith(newer)).error).toContain(plainErrors.invalid);
  });

  it("say where it is in a file that people write themselves", () => {
    const place = "applinks.details.0.appIDs.0";
    const path = `appleAppSiteAssociation.${place}`;
    const { details } = page.plainError(errorWith(fault(path, "wrong_form", { expected: "apple_app_id" })));
    expect(details?.[0]?.message).toMatch(/ABCDE12345\.com\.example\.app.*applinks\.details\.0\.appIDs\.0/s);
    expect(page.plainError(errorWith(fault(path, "required"))).details?.[0]?.message).toBe(
      plainErrors.inFile(fieldFaults["required"] as string, place),
    );
  });

  it("say in words why a page is blocked", () => {
    const said = VERDICT_REASONS.map((reason) => page.plainError(errorWith(fault("url", "blocked", { reason }))).error);
    expect(new Set(said).size).toBe(VERDICT_REASONS.length);
    for (const each of said) expect(each).not.toContain("_");
  });
});

describe("the errors of the pages", () => {
  it("are in the language of the page", async () => {
    const tooLong = fault("url", "too_long", { max: 2_000 });
    const said: string[] = [];
    for (const texts of TEXTS.values()) {
      const { plainError } = await plainErrorIn(texts);
      said.push(plainError(errorWith(tooLong)).error.replace(/2.?000/, "2000"));
    }
    expect(said).toEqual([
      "The destination must have at most 2000 characters.",
      "Ziel: darf höchstens 2000 Zeichen haben.",
      "El campo “destino” puede tener como máximo 2000 caracteres.",
      "الوجهة: يُسمح بما لا يزيد على 2000 من الأحرف.",
    ]);
  });
});
