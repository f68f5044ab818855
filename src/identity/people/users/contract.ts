import { createRoute, z } from "@hono/zod-openapi";
import { json, jsonBody, operation, sessionOnly } from "../../../platform/http/contract.ts";
import { hasChange, StartTimeInput } from "../../../platform/http/validation.ts";
import { Language, UserBody, UserName } from "../schemas.ts";
import { because } from "../../../platform/http/faults.ts";

export const updateUser = createRoute({
  ...operation("patch", "/api/auth/user", "Sign-in", "Update user"),
  ...sessionOnly,
  description:
    "Changes the name of the person, which members of teams see, or the language of the dashboard and of mails, or dismisses notices. The personal account keeps its name.",
  request: jsonBody(
    z
      .strictObject({
        name: UserName.optional(),
        language: Language.nullable().optional(),
        noticesReadAt: StartTimeInput.optional().openapi({
          description: "Dismisses the notices up to this time: `createdAt` of the newest one that was shown.",
        }),
      })
      .refine(hasChange, because("nothing_given"))
      .openapi("UserChanges", {
        description: "What changes of a person.",
        minProperties: 1,
        example: { name: "Ann Lee" },
      }),
  ),
  responses: { 200: json(z.object({ user: UserBody }), "The person after the change.") },
});
