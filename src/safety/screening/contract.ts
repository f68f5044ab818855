import { createRoute, z } from "@hono/zod-openapi";
import { conflicting, json, jsonBody, operation, sessionOnly, Success } from "../../platform/http/contract.ts";
import { Id, idParams } from "../../platform/http/id.ts";
import { pageOf, pageQuery } from "../../platform/http/pagination.ts";
import { lineOfProse, lineOfText, Timestamp } from "../../platform/http/validation.ts";
import { MAX_URL_CHARS } from "../../limits.ts";
import { forOthers, Reason } from "../takedowns/contract.ts";
import { MAX_RULE_NOTE_CHARS, MAX_SCREENING_ENTRIES, MAX_SCREENING_FILES } from "../limits.ts";

/** Routes for what destinations are compared with. */

const Kind = z.enum(["entry", "hosts", "urls"]).openapi({
  description: "`entry`: one host or URL. `hosts`, `urls`: a list file with a host or a URL a line.",
});
const Verdict = z
  .enum(["allow", "block"])
  .openapi({ description: "`allow`: of an `entry` only; it wins over all other rules." });

export const ScreeningRule = z
  .object({
    id: Id,
    kind: Kind,
    value: z.string().openapi({ description: "A host or a URL, in its canonical form; or where the list file is." }),
    verdict: Verdict,
    reason: Reason.nullable().openapi({ description: "Why it blocks; null: it allows." }),
    note: z.string().nullable().openapi({ description: "What the operators noted." }),
    file: z
      .object({
        entries: z.number().int().openapi({ description: "Entries of the version in use." }),
        refreshedAt: Timestamp.nullable().openapi({ description: "When it was read, in Unix milliseconds." }),
        fault: z.string().nullable().openapi({ description: "Why the last refresh failed; null: it did not." }),
      })
      .nullable()
      .openapi({ description: "The state of a list file." }),
    createdAt: Timestamp.openapi({ description: "When it was added, in Unix milliseconds." }),
    createdBy: z.string().nullable().openapi({ description: "The operator; null: the person is deleted." }),
  })
  .openapi("ScreeningRule", {
    description: "What destinations are compared with.",
    example: {
      id: "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f",
      kind: "entry",
      value: "evil.example",
      verdict: "block",
      reason: "phishing",
      note: null,
      file: null,
      createdAt: 1_790_000_000_000,
      createdBy: "Ann Lee",
    },
  });
export type ScreeningRule = z.infer<typeof ScreeningRule>;

const CreateScreeningRule = z
  .strictObject({
    kind: Kind,
    value: lineOfText(MAX_URL_CHARS).openapi({
      description:
        "A host, which covers its subdomains, or a URL, which covers only itself; or the URL of a list file.",
      example: "evil.example",
    }),
    verdict: Verdict.optional(),
    reason: Reason.optional().openapi({
      description: "Why it blocks: `policy` if it is not given. Those who are refused are told.",
    }),
    note: lineOfProse(MAX_RULE_NOTE_CHARS).optional().openapi({ description: "Such as the licence of a list." }),
  })
  .openapi("CreateScreeningRule", { description: "A new rule." });
export type CreateScreeningRule = z.infer<typeof CreateScreeningRule>;

export const createScreeningRule = createRoute({
  ...operation("post", "/api/admin/screening", "Administration", "Create screening rule"),
  ...sessionOnly,
  description: `An entry holds for new destinations at once; a list file is read within minutes. At most ${MAX_SCREENING_ENTRIES} entries and ${MAX_SCREENING_FILES} files.`,
  request: jsonBody(CreateScreeningRule),
  responses: {
    201: json(z.object({ rule: ScreeningRule }), "The rule."),
    ...forOthers,
    ...conflicting("There is such a rule, there are too many, or screening is off (`SCREENING`)."),
  },
});

export const listScreeningRules = createRoute({
  ...operation("get", "/api/admin/screening", "Administration", "List screening rules"),
  ...sessionOnly,
  description: "Newest first.",
  request: { query: z.strictObject(pageQuery) },
  responses: { 200: pageOf("rules", ScreeningRule, "The rules of the page.", "A page of rules."), ...forOthers },
});

export const deleteScreeningRule = createRoute({
  ...operation("delete", "/api/admin/screening/{id}", "Administration", "Delete screening rule"),
  ...sessionOnly,
  request: { params: idParams("rule") },
  responses: { 200: json(Success, "The rule is deleted. What it blocked is accepted again.") },
});
