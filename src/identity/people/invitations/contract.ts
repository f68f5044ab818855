import { createRoute, z } from "@hono/zod-openapi";
import { ROLES } from "../../../platform/auth/roles.ts";
import { json, jsonBody, operation } from "../../../platform/http/contract.ts";
import { Id } from "../../../platform/http/id.ts";
import { Timestamp } from "../../../platform/http/validation.ts";
import { refused, TokenInput } from "../schemas.ts";

export const ReceivedInvitation = z
  .object({
    team: z
      .object({
        id: Id.openapi({ description: "The id of the team." }),
        name: z.string().openapi({ description: "The name of the team." }),
      })
      .openapi({ description: "The team that the person is invited to." }),
    inviter: z
      .string()
      .nullable()
      .openapi({ description: "The name of the person who invited. null: the operator, or a person who is deleted." }),
    email: z.string().openapi({ description: "The invited address." }),
    role: z.enum(ROLES).openapi({ description: "The role after the acceptance." }),
    expiresAt: Timestamp.openapi({ description: "From then on it cannot be accepted, in Unix milliseconds." }),
  })
  .openapi("ReceivedInvitation", {
    description: "An invitation, as the invited person sees it.",
    example: {
      team: { id: "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f", name: "Acme" },
      inviter: "Ann Lee",
      email: "bob@example.com",
      role: "member",
      expiresAt: 1_790_604_800_000,
    },
  });
export type ReceivedInvitation = z.infer<typeof ReceivedInvitation>;

export const readInvitation = createRoute({
  ...operation("post", "/api/auth/invitation", "Sign-in", "Read invitation"),
  security: [],
  description: "What the token of an invitation is for. Does not use it.",
  request: jsonBody(
    z.strictObject({ token: TokenInput }).openapi("ReadInvitation", { description: "The token of the mail." }),
  ),
  responses: { 200: json(z.object({ invitation: ReceivedInvitation }), "The invitation."), ...refused },
});
