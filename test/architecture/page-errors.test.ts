import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAst } from "vite";
import { describe, expect, it, vi } from "vitest";
import { plainError } from "../../dashboard/src/api/plain-error.ts";
import { plainErrors } from "../../dashboard/src/texts/en/plain-errors.ts";
import { plainErrors as arabic } from "../../dashboard/src/texts/ar/plain-errors.ts";
import { plainErrors as german } from "../../dashboard/src/texts/de/plain-errors.ts";
import { plainErrors as spanish } from "../../dashboard/src/texts/es/plain-errors.ts";
import { notPublic } from "../../src/outbound/url-guard.ts";
import { describeWait } from "../../src/lib/describe-wait.ts";
import { STATUS_OF_CODE } from "../../src/http/error-body.ts";

// The pages show the sentences of the service. Some of them are for programmers only.

const SOURCE = join(import.meta.dirname, "../../src");

/** What no sentence of a page may have: methods, paths, escapes, headers, variables and names of fields. */
const TECHNICAL =
  /\b(?:GET|POST|PUT|PATCH|DELETE) \/|\/api\/|%2[0-9A-F]|[?&][a-z]+=|Bearer|Idempotency-Key|Content-Type|\b[A-Z]+_[A-Z_]+\b|\b[a-z]+[A-Z]\w*|\bcursor\b/;
/** Names of things, and examples of what people enter. */
const ALLOWED = /macOS|iOS|iPhones?|iPads?|JavaScript|com\.acme\.app|com\.example\.app/g;

interface Node {
  type: string;
  [key: string]: unknown;
}

/** The strings of a file, with … in place of what is inserted, without those that only document the API. */
function stringsOf(file: string): string[] {
  const strings: string[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (typeof node !== "object" || node === null) return;
    const { type, key, value, quasis } = node as Node & {
      key?: { name?: string };
      quasis?: { value: { cooked: string } }[];
    };
    if (type === "ImportDeclaration") return;
    if (type === "Property" && /^(description|summary|examples?|default)$/.test(key?.name ?? "")) return;
    if (type === "Literal" && typeof value === "string") strings.push(value);
    if (type === "TemplateLiteral") strings.push((quasis ?? []).map((part) => part.value.cooked).join("…"));
    Object.values(node).forEach(visit);
  };
  visit(parseAst(readFileSync(join(SOURCE, file), "utf8"), { lang: "ts" }));
  return strings;
}

const strings = readdirSync(SOURCE, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts") && !name.endsWith(".d.ts") && !name.endsWith("app-association.ts"))
  .flatMap(stringsOf);
/** Whole sentences, the messages of errors. The documents of the API have code in backquotes. */
const sentences = strings.filter((text) => /^[A-Z…"].* .*\.$/.test(text) && !text.includes("`"));
/** What is wrong with a field, which continues a sentence. */
const reasons = strings.filter((text) => /^(?:must|is|are|has|cannot|needs|would|may|give|selects?) \S/.test(text));

const shown = (text: string) => text.replaceAll(ALLOWED, "");

describe("the errors of the pages", () => {
  it("have words for every code", () => {
    expect(Object.keys(plainErrors.codes).sort()).toEqual(Object.keys(STATUS_OF_CODE).sort());
    for (const text of Object.values(plainErrors.codes)) expect(text).not.toMatch(TECHNICAL);
  });

  it("show no sentence of the service that is for programmers", () => {
    const technical = sentences.filter((text) => TECHNICAL.test(shown(text)));
    expect(technical).toContain("Confirm that it is you with POST /api/auth/confirm, and send this request again.");
    expect(technical.length).toBeGreaterThan(10);
    for (const error of sentences) expect(shown(plainError({ error, code: "conflict" }).error)).not.toMatch(TECHNICAL);
  });

  it("keep the reason where only the advice after it is for programmers", () => {
    const guard = { baseUrl: "http://localhost:8787" };
    const message = notPublic(new URL("http://10.0.0.1/hooks"), guard as Parameters<typeof notPublic>[1]);
    expect(message).toContain("--var WEBHOOK_ALLOWED_PRIVATE_HOSTS:10.0.0.1");
    const { error } = plainError({ error: "", code: "invalid_request", details: [{ path: "url", message }] });
    expect(error).toMatch(/ must be on a public host, not on a private or internal one\.$/);
  });

  it("show no reason of the service that is for programmers", () => {
    reasons.push(
      "must be a PNG or JPEG image as a data URI in base64, data:image/png;base64,… (in a query, + is written %2B)",
    );
    for (const message of reasons) {
      const { error, details } = plainError({
        error: `url: ${message}`,
        code: "invalid_request",
        details: [{ path: "url", message }],
      });
      expect(shown(error)).not.toMatch(TECHNICAL);
      expect(shown(details?.[0]?.message ?? "")).not.toMatch(TECHNICAL);
    }
  });

  it("keep the sentences that anyone understands, and name fields in words", () => {
    const conflict = { error: "The slug Spring-POST is taken. Choose another one.", code: "conflict" };
    expect(plainError(conflict)).toEqual(conflict);
    const message = "must begin with http:// or https://";
    const of = (path: string) =>
      plainError({ error: `${path}: ${message}`, code: "invalid_request", details: [{ path, message }] });
    expect(of("rules.0.url").error).toBe("The destination must begin with http:// or https://.");
    expect(of("somethingNew").error).toBe("One of the entries must begin with http:// or https://.");
    expect(plainError({ error: "Another link has the externalId 7.", code: "conflict" }).error).toBe(
      "Another link has the external id 7.",
    );
  });

  it("translate only what the service says", () => {
    const waits = [1, 30, 60, 300, 7_200].map((seconds) => `Try again ${describeWait(seconds)}.`.replace(/\d+/, "…"));
    const said = new Set(
      [...sentences, ...reasons, ...waits].flatMap((text) =>
        text
          .replace(/ \(in a query, [^)]*\)/, "")
          .split(/(?<=\.) (?=\S)/)
          .map((sentence) => sentence.replace(/\.$/, "")),
      ),
    );
    for (const { sentences: translated } of [german, spanish, arabic])
      expect(Object.keys(translated).filter((english) => !said.has(english))).toEqual([]);
  });

  it("translate the same sentences into all languages, with all that is inserted", () => {
    expect(Object.keys(german.sentences)).toEqual(Object.keys(spanish.sentences));
    expect(Object.keys(arabic.sentences)).toEqual(Object.keys(spanish.sentences));
    for (const { sentences: translated } of [german, spanish, arabic]) {
      expect(Object.entries(translated).filter(([english, text]) => english === text)).toEqual([]);
      const countOf = (text: string) => text.split("…").length;
      const more = Object.entries(translated).filter(([english, text]) => countOf(text) > countOf(english));
      expect(more).toEqual([]);
    }
  });

  it.each([
    [
      "Spanish",
      spanish,
      "El slug a.b está ocupado. Elige otro.",
      "El campo “destino” puede tener como máximo 2000 caracteres.",
    ],
    [
      "German",
      german,
      "Der Slug a.b ist vergeben. Wählen Sie einen anderen.",
      "Ziel: darf höchstens 2000 Zeichen haben.",
    ],
    ["Arabic", arabic, "اللاحقة \u2068a.b\u2069 مستخدمة. اختر غيرها.", "الوجهة: يُسمح بما لا يزيد على 2000 من الأحرف."],
  ])("are in %s where all of their sentences are known", async (_, texts, taken, tooLong) => {
    vi.resetModules();
    vi.doMock("../../dashboard/src/texts/en/plain-errors.ts", () => ({ plainErrors: texts }));
    const { plainError: translated } = await import("../../dashboard/src/api/plain-error.ts");
    const of = (error: string) => translated({ error, code: "conflict" }).error;
    expect(of("The slug a.b is taken. Choose another one.")).toBe(taken);
    expect(of("The slug spring is taken. Nobody knows why.")).toBe("The slug spring is taken. Nobody knows why.");
    const details = [{ path: "url", message: "must have at most 2000 characters" }];
    expect(translated({ error: "", code: "invalid_request", details }).error).toBe(tooLong);
  });
});
