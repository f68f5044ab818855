import { beforeAll, afterAll, describe, expect, it } from "vitest";
import type { ErrorBody } from "../../dashboard/src/api/error-body.ts";
import type { Fault } from "../../src/platform/http/faults.ts";
import { MAX_BODY_BYTES } from "../../src/limits.ts";
import { plainErrorIn, TEXTS } from "../support/page-errors.ts";
import { callApi, createAccount, createLink } from "./support/accounts.ts";
import { startService, type Service } from "./support/service.ts";

// Mistakes that people and programs make. A program tells them apart by path, code and values; the pages have a sentence for each.

const URL = "https://example.com/";
const link = (fields: object) => ["POST", "/api/links", { url: URL, ...fields }] as const;
const NO_ID = "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f";

const REQUESTS: readonly (readonly [method: string, path: string, body?: unknown])[] = [
  ["POST", "/api/links", {}],
  ["POST", "/api/links", []],
  ["POST", "/api/links", { longUrl: URL }],
  link({ url: 5 }),
  link({ url: "example" }),
  link({ url: "https://" }),
  link({ url: "https://ann:pass@example.com/" }),
  link({ url: "https://0.0.0.1/" }),
  link({ url: "https://tern.test/x" }),
  link({ slug: "a b" }),
  link({ slug: "api" }),
  link({ slug: "taken" }),
  link({ slug: null }),
  link({ domain: "go.acme.com" }),
  link({ domain: "https://go.acme.com/spring" }),
  link({ maxClicks: 1.5 }),
  link({ maxClicks: "5" }),
  link({ maxClicks: -1 }),
  link({ expiresAt: "2030-02-30" }),
  link({ expiresAt: 1 }),
  link({ title: "x".repeat(1_000) }),
  link({ tags: "sale" }),
  link({ tags: [""] }),
  link({ redirectStatus: 303 }),
  link({ rules: [{ url: URL }] }),
  link({ rules: [{ url: URL, countries: ["XX"] }] }),
  link({ password: "" }),
  link({ title: "x".repeat(MAX_BODY_BYTES) }),
  ["POST", "/api/links/bulk", { links: [] }],
  ["POST", "/api/bulk", { filter: { tag: 5 }, delete: true }],
  ["POST", "/api/bulk", { filter: { status: ["gone"] }, delete: true }],
  ["POST", "/api/bulk", { delete: true }],
  ["GET", "/api/links?status=gone"],
  ["GET", "/api/links?limit=0"],
  ["GET", "/api/links?cursor=x"],
  ["GET", "/api/links?slug=a&slug=b"],
  ["GET", `/api/links/${NO_ID}`],
  ["GET", "/api/links/spring"],
  ["GET", "/api/nothing"],
  ["GET", "/api/clicks?start=2030-01-01"],
  ["GET", "/api/clicks?timezone=Mars"],
  ["GET", "/api/clicks?interval=1d"],
  ["POST", "/api/exports", {}],
  ["POST", "/api/exports", { kind: "everything" }],
  ["POST", "/api/domains/add", { domain: "localhost" }],
  ["POST", "/api/domains/add", { domain: "192.0.2.1" }],
  ["POST", "/api/domains/add", { domain: "*.acme.com" }],
  ["POST", "/api/webhooks", { url: "https://192.168.0.1/", events: ["link.create"] }],
  ["POST", "/api/webhooks", { url: "https://example.com:22/", events: ["link.create"] }],
  ["POST", "/api/webhooks", { url: URL, events: ["link.made"] }],
  ["POST", "/api/qr", { content: URL, foreground: "red" }],
  ["POST", "/api/qr", { content: URL, foreground: "#ffffff" }],
  ["POST", "/api/qr", { content: URL, size: 1 }],
];

let service: Service<"here">;
const answers: ErrorBody[] = [];

beforeAll(async () => {
  service = await startService({ here: "one" });
  const { key } = await createAccount(service.db);
  await createLink(service.isolates.here, key, { url: URL, slug: "taken" });
  for (const [method, path, body] of REQUESTS) {
    const answer = await callApi(service.isolates.here, key, method, path, body);
    answers.push(answer.json() as ErrorBody);
  }
});
afterAll(() => service.stop());

it("are told apart by the path, the code and the values of their first fault", () => {
  const mistakes = new Map<string, string>();
  for (const [index, { details = [] }] of answers.entries()) {
    const { message: _, ...fault } = (details[0] ?? {}) as Partial<Fault>;
    const mistake = JSON.stringify(fault);
    const request = JSON.stringify(REQUESTS[index]);
    expect(fault.code, request).toBeTypeOf("string");
    expect(mistakes.get(mistake), `${request}: ${mistake}`).toBeUndefined();
    mistakes.set(mistake, request);
  }
});

describe.each(["de", "es", "ar"])("in the pages in %s", (language) => {
  it("have a sentence for people, in their language", async () => {
    const texts = TEXTS.get(language) ?? expect.fail(`There are no texts in ${language}.`);
    const { plainError } = await plainErrorIn(texts);
    const english = await plainErrorIn(TEXTS.get("en") as typeof texts);
    for (const [index, answer] of answers.entries()) {
      const { error } = plainError(answer);
      const request = JSON.stringify([REQUESTS[index], error]).slice(0, 1_000);
      expect(error, request).toMatch(/[.؟]$/);
      expect(error, request).not.toMatch(/undefined|NaN|\bnull\b|\[object|[{}]|\$\{/);
      expect(error, request).not.toBe(answer.error);
      expect(error, request).not.toBe(english.plainError(answer).error);
    }
  });
});
