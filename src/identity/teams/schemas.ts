import { z } from "@hono/zod-openapi";
import { ROLES } from "../../platform/auth/roles.ts";
import { Id } from "../../platform/http/id.ts";
import { lineOfProse, Timestamp } from "../../platform/http/validation.ts";
import { MAX_ACCOUNT_NAME_CHARS } from "../../limits.ts";

const EXAMPLE_ID = "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f";
const EXAMPLE_USER_ID = "01920b5c-7d6a-7c3e-9b1f-1a2b3c4d5e6f";

export const TeamName = lineOfProse(MAX_ACCOUNT_NAME_CHARS).openapi({
  description: "The name of the team.",
  example: "Acme",
});

export const RoleName = z.enum(ROLES).openapi({ description: "The role in the team." });

export const TeamBody = z
  .object({
    id: Id.openapi({ description: "The id of the team, also for the header `X-Account-Id`." }),
    name: TeamName,
    role: RoleName.openapi({ description: "The role of the person who asks." }),
    requireMfa: z.boolean().openapi({ description: "Whether members need a second factor." }),
    createdAt: Timestamp.openapi({ description: "When the team was created, in Unix milliseconds." }),
    deletesAt: Timestamp.nullable().openapi({
      description: "When the deleted team is deleted for good. null: not deleted.",
    }),
  })
  .openapi("Team", {
    description: "An account with several members.",
    example: {
      id: EXAMPLE_ID,
      name: "Acme",
      role: "owner",
      requireMfa: false,
      createdAt: 1_790_000_000_000,
      deletesAt: null,
    },
  });
export type TeamBody = z.infer<typeof TeamBody>;

export const MemberBody = z
  .object({
    userId: Id.openapi({ description: "The id of the person." }),
    name: z.string().openapi({ description: "The person's name." }),
    email: z.string().openapi({ description: "The person's verified address." }),
    role: RoleName,
    joinedAt: Timestamp.openapi({ description: "When the person joined, in Unix milliseconds." }),
  })
  .openapi("Member", {
    description: "A member of a team.",
    example: {
      userId: EXAMPLE_USER_ID,
      name: "Ann Lee",
      email: "ann@example.com",
      role: "admin",
      joinedAt: 1_790_000_000_000,
    },
  });
export type MemberBody = z.infer<typeof MemberBody>;

const shownAs = (description: string, example: string) => z.string().openapi({ description, example });

/** What a person made in an account that goes on without the person. */
export const LastingAccess = z
  .object({
    keys: z
      .array(z.object({ id: Id, name: shownAs("The name of the key.", "Robot") }))
      .openapi({ description: "Active API keys, also those that were made with a key of the person." }),
    webhooks: z
      .array(z.object({ id: Id, url: shownAs("The URL without what may be secret.", "https://hooks.example/…") }))
      .openapi({ description: "Webhooks that the person created, or whose URL the person set." }),
    listeners: z.array(z.object({ id: Id })).openapi({ description: "Listeners that the person created." }),
    sharedPages: z
      .array(
        z.object({
          id: Id,
          title: z
            .string()
            .nullable()
            .openapi({ description: "The title. null: the page has none.", example: "Spring" }),
        }),
      )
      .openapi({ description: "Shared pages that the person created. Everybody with the URL of one sees its clicks." }),
  })
  .openapi("LastingAccess", {
    description: "What a person made in an account that goes on without the person.",
    example: {
      keys: [{ id: EXAMPLE_ID, name: "Robot" }],
      webhooks: [{ id: EXAMPLE_ID, url: "https://hooks.example/…" }],
      listeners: [],
      sharedPages: [{ id: EXAMPLE_ID, title: "Spring sale" }],
    },
  });
export type LastingAccess = z.infer<typeof LastingAccess>;

export const InvitationBody = z
  .object({
    id: Id,
    email: z.string().openapi({ description: "The invited address." }),
    role: RoleName.openapi({ description: "The role after the acceptance." }),
    invitedBy: Id.nullable().openapi({ description: "The id of the person who invited. null: the operator." }),
    createdAt: Timestamp.openapi({ description: "When the invitation was sent, in Unix milliseconds." }),
    expiresAt: Timestamp.openapi({ description: "From then on it cannot be accepted." }),
  })
  .openapi("Invitation", {
    description: "A pending invitation.",
    example: {
      id: EXAMPLE_ID,
      email: "bob@example.com",
      role: "member",
      invitedBy: EXAMPLE_USER_ID,
      createdAt: 1_790_000_000_000,
      expiresAt: 1_790_604_800_000,
    },
  });
export type InvitationBody = z.infer<typeof InvitationBody>;

export const ResetLink = z
  .object({
    link: z.string().openapi({ description: "The link, which is not shown again. Hand it over to the member." }),
    expiresAt: Timestamp.openapi({ description: "From then on it does not work, in Unix milliseconds." }),
  })
  .openapi("ResetLink", {
    description: "A link with which a member sets a new password.",
    example: {
      link: "https://go.example/app/reset-password#token=q7Hn0Cj1yq3fR2mXv8bT5kZs9wL4dP6gA0eUiYoNcWx",
      expiresAt: 1_790_003_600_000,
    },
  });
export type ResetLink = z.infer<typeof ResetLink>;
