import { createRoute, z } from "@hono/zod-openapi";
import { AUDIT_ACTIONS, AUDIT_KINDS } from "../../access/audit/actions.ts";
import { MAX_ACTION_CHARS, MAX_FILTERED_ACTIONS, MAX_SEARCHED_ENTRIES } from "../../access/audit/limits.ts";
import { ROLES } from "../../platform/auth/roles.ts";
import { MAX_CLICK_RETENTION_DAYS, MIN_CLICK_RETENTION_DAYS } from "../../click-log/limits.ts";
import { conflicting, json, jsonBody, operation, sessionOnly } from "../../platform/http/contract.ts";
import { CSV_HEADERS } from "../../platform/http/csv.ts";
import { Id, IdInput, idParams } from "../../platform/http/id.ts";
import { because } from "../../platform/http/faults.ts";
import { pageOf, pageQuery } from "../../platform/http/pagination.ts";
import { queryTime, repeatable } from "../../platform/http/query.ts";
import { changesOf, EndTimeInput, lineOfProse, StartTimeInput, Timestamp } from "../../platform/http/validation.ts";
import { MAX_ACCOUNT_NAME_CHARS } from "../../limits.ts";
import { Domain, RedirectStatus, settings } from "../../links/fields.ts";

/** Routes for persons, for the account of the header `X-Account-Id`. */

const AccountName = lineOfProse(MAX_ACCOUNT_NAME_CHARS).openapi({
  description: "The name of the account.",
  example: "Acme",
});
const RoleName = z.enum(ROLES).openapi({ description: "What the person may do there." });

const BrokenDestinationMails = z.boolean().openapi({
  description: "Whether owners are told by mail, at most once a day, of destinations that broke.",
});

const ClickRetentionDays = z
  .number()
  .int()
  .min(MIN_CLICK_RETENTION_DAYS)
  .max(MAX_CLICK_RETENTION_DAYS)
  .nullable()
  .openapi({ description: "The chosen days for which single clicks are kept. null: the default." });

const days = (description: string) => z.number().int().openapi({ description });

const ClickRetention = z
  .object({
    days: days("For how many days single clicks are kept now."),
    minDays: days("Minimum of a choice."),
    maxDays: days("Maximum of a choice."),
    defaultDays: days("Without a choice."),
    keptFrom: Timestamp.openapi({ description: "Older clicks are only counted. Unix milliseconds." }),
  })
  .openapi({ description: "How long single clicks are kept, within the bounds of the service." });
export type ClickRetention = z.infer<typeof ClickRetention>;

const LinkDefaults = z
  .strictObject({
    domain: Domain.optional(),
    redirectStatus: RedirectStatus.optional(),
    tags: settings.tags.unwrap().unwrap().optional(),
  })
  .openapi("LinkDefaults", {
    description: "Settings that new links get if their requests do not give them. An upsert does not use `domain`.",
    example: { redirectStatus: 307, tags: ["sale"] },
  });

const Account = z
  .object({
    id: Id,
    name: AccountName,
    kind: z.enum(["personal", "team"]).openapi({ description: "Whose account it is." }),
    role: RoleName,
    linkDefaults: LinkDefaults.nullable(),
    brokenDestinationMails: BrokenDestinationMails,
    clickRetentionDays: ClickRetentionDays,
    clickRetention: ClickRetention,
    createdAt: Timestamp.openapi({ description: "When the account was created, in Unix milliseconds." }),
  })
  .openapi("Account", {
    description: "The owner of links, keys, domains and webhooks.",
    example: {
      id: "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f",
      name: "Acme",
      kind: "team",
      role: "owner",
      linkDefaults: { tags: ["sale"] },
      brokenDestinationMails: true,
      clickRetentionDays: 30,
      clickRetention: { days: 30, minDays: 7, maxDays: 90, defaultDays: 90, keptFrom: 1_787_356_800_000 },
      createdAt: 1_790_000_000_000,
    },
  });
export type Account = z.infer<typeof Account>;

export const getAccount = createRoute({
  ...operation("get", "/api/account", "Account", "Get account"),
  ...sessionOnly,
  responses: { 200: json(z.object({ account: Account }), "The account.") },
});

export const updateAccount = createRoute({
  ...operation("patch", "/api/account", "Account", "Update account"),
  ...sessionOnly,
  description: `\`linkDefaults\` replaces all defaults; null removes them. A custom domain must be a verified one of the account.
Fewer \`clickRetentionDays\` delete: single clicks from before \`keptFrom\` are no longer returned, and within minutes they are only
counts. More days bring none back.`,
  request: jsonBody(
    changesOf(
      "UpdateAccount",
      {
        name: AccountName.optional(),
        linkDefaults: LinkDefaults.nullish(),
        brokenDestinationMails: BrokenDestinationMails.optional(),
        clickRetentionDays: ClickRetentionDays.optional(),
      },
      { name: "Acme" },
    ),
  ),
  responses: { 200: json(z.object({ account: Account }), "The changed account.") },
});

const deletionBody = jsonBody(
  z
    .strictObject({
      confirm: z.string().min(1).max(MAX_ACCOUNT_NAME_CHARS).openapi({
        description: "The name of the account, as it is stored.",
        example: "Acme",
      }),
    })
    .openapi("DeleteAccount", { description: "Proof that this account is meant.", example: { confirm: "Acme" } }),
);

const Deletion = z.object({
  deletesAt: Timestamp.openapi({ description: "When everything is deleted for good, in Unix milliseconds." }),
});

const DELETION_DESCRIPTION = `Keys, deliveries and jobs of the account stop at once, links within 35 seconds. Until
\`deletesAt\`, 7 days later, it can be restored with \`POST /api/account/restore\`.`;

export const deleteAccount = createRoute({
  ...operation("delete", "/api/account", "Account", "Delete account"),
  ...sessionOnly,
  description: `${DELETION_DESCRIPTION} Deleting the personal account deletes the person: all sessions end, and so do the
teams without another member.`,
  request: deletionBody,
  responses: {
    202: json(Deletion, "The account is deleted."),
    ...conflicting("The person is the only owner of a team with other members, which the message names."),
  },
});

export const deleteTeam = createRoute({
  ...operation("delete", "/api/teams/{id}", "Teams", "Delete team"),
  ...sessionOnly,
  description: DELETION_DESCRIPTION,
  request: { params: idParams("team"), ...deletionBody },
  responses: { 202: json(Deletion, "The team is deleted.") },
});

export const restoreAccount = createRoute({
  ...operation("post", "/api/account/restore", "Account", "Restore account"),
  ...sessionOnly,
  description: `Brings a deleted account back as it was. With the personal account, the person and the teams that were deleted
with it come back. An account that is not deleted stays as it is.`,
  responses: {
    200: json(z.object({ account: Account }), "The account."),
    ...conflicting("The 7 days are over."),
  },
});

export const getRole = createRoute({
  ...operation("get", "/api/account/role", "Account", "Get role"),
  ...sessionOnly,
  responses: { 200: json(z.object({ role: RoleName }), "The role of the person who asks.") },
});

const TargetState = z.object({
  role: z.string().optional().openapi({ description: "The role of a member or an invitation." }),
  name: z.string().nullable().optional().openapi({ description: "The name of a key or a person." }),
  permissions: z.array(z.string()).optional().openapi({ description: "The permissions of a key." }),
  links: z.number().int().optional().openapi({ description: "The number of claimed links." }),
  clickRetentionDays: z.number().int().nullable().optional().openapi({
    description: "Of an account.",
  }),
});

export const AuditEntryBody = z
  .object({
    id: Id,
    actor: z
      .object({
        type: z.enum(["user", "key", "operator"]).openapi({ description: "What made the change." }),
        id: Id.nullable().openapi({ description: "The id of the person or of the key. null: the operator." }),
        name: z.string().nullable().openapi({
          description: "The name at the time of the change. null: the operator, or the person is deleted.",
        }),
        app: z.string().optional().openapi({
          description: "The name of the app with which the person made the change. Missing: none.",
        }),
      })
      .openapi({ description: "Who made the change." }),
    action: z.string().openapi({ description: "What was done. Later versions may add others." }),
    targetId: z.string().nullable().openapi({ description: "The id of what was changed." }),
    targetName: z.string().nullable().openapi({
      description:
        "The name of what was changed, as it was then: of a webhook the URL without what may be secret. null: it has none, or the person is deleted.",
    }),
    before: TargetState.nullable().openapi({ description: "What was replaced or ended. null: nothing that is kept." }),
    after: TargetState.nullable().openapi({ description: "What was made. null: nothing that is kept." }),
    country: z.string().nullable().openapi({ description: "The country of the request. null: unknown." }),
    createdAt: Timestamp.openapi({ description: "The time of the change, in Unix milliseconds." }),
  })
  .openapi("AuditEntry", {
    description: "A change in the account.",
    example: {
      id: "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f",
      actor: { type: "user", id: "01920b5c-7d6a-7c3e-9b1f-1a2b3c4d5e6f", name: "Ann Lee" },
      action: "key.create",
      targetId: "01920b5c-7d6a-7c3e-9b1f-3a2b3c4d5e6f",
      targetName: "CI",
      before: null,
      after: { name: "CI", permissions: ["links:read"] },
      country: "DE",
      createdAt: 1_790_000_000_000,
    },
  });
export type AuditEntryBody = z.infer<typeof AuditEntryBody>;

const AuditActionFilter = z
  .string()
  .refine((text) => isActionFilter(text), because("wrong_form", { expected: "audit_action" }));

const isActionFilter = (text: string) => ([...AUDIT_ACTIONS, ...AUDIT_KINDS] as string[]).includes(text);

const page = pageOf("entries", AuditEntryBody, "The entries of the page.", "A page of entries, or a CSV file.");
const entries = { ...page, headers: CSV_HEADERS, content: { ...page.content, "text/csv": { schema: z.string() } } };

export const listAudit = createRoute({
  ...operation("get", "/api/account/audit", "Account", "List audit log"),
  ...sessionOnly,
  description: `Who changed what, newest first. Entries are kept for a year. With \`action\` or \`actor\`, and as CSV, the period may have
at most ${MAX_SEARCHED_ENTRIES} entries.`,
  request: {
    query: z.strictObject({
      ...pageQuery,
      action: repeatable(AuditActionFilter, MAX_FILTERED_ACTIONS, MAX_ACTION_CHARS).optional().openapi({
        description: "Entries with this action, or of this kind, such as `key`. Repeat it for any of several.",
      }),
      actor: IdInput.optional().openapi({ description: "Entries by the person or the key with this id." }),
      createdAfter: queryTime(StartTimeInput).optional().openapi({ description: "From this time on." }),
      createdBefore: queryTime(EndTimeInput)
        .optional()
        .openapi({ description: "Before this time. A day is included." }),
      format: z.enum(["json", "csv"]).optional().openapi({ description: "`csv`: all that match, without pages." }),
    }),
  },
  responses: { 200: entries },
});
