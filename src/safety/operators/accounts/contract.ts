import { createRoute, z } from "@hono/zod-openapi";
import { json, jsonBody, operation, sessionOnly } from "../../../platform/http/contract.ts";
import { lineOfProse } from "../../../platform/http/validation.ts";
import { MAX_ACCOUNT_NAME_CHARS } from "../../../limits.ts";
import { EmailInput } from "../../../platform/mail/email-address.ts";
import { forOthers } from "../../takedowns/contract.ts";
import { FoundAccount } from "../search/contract.ts";

const InviteOwner = z
  .strictObject({
    name: lineOfProse(MAX_ACCOUNT_NAME_CHARS).openapi({ description: "The name of the account.", example: "Acme" }),
    email: EmailInput.openapi({ description: "The address of the person who is invited as its owner." }),
  })
  .openapi("InviteOwner", { description: "A new account." });
export type InviteOwner = z.infer<typeof InviteOwner>;

export const inviteOwner = createRoute({
  ...operation("post", "/api/admin/accounts", "Administration", "Invite owner"),
  ...sessionOnly,
  description:
    "Makes an account that is trusted, and invites a person as its owner by mail. The invitation is valid for 7 days, also where strangers cannot sign up.",
  request: jsonBody(InviteOwner),
  responses: { 201: json(z.object({ account: FoundAccount }), "The account."), ...forOthers },
});
