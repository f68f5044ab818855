import { createRoute, z } from "@hono/zod-openapi";
import { json, operation, sessionOnly } from "../../../platform/http/contract.ts";
import { Id } from "../../../platform/http/id.ts";

const account = z.string().openapi({ description: "The name of the account.", example: "Harbour Tours" });

/** What of a person reads without a session. */
export const PersonAccess = z
  .object({
    apps: z
      .array(z.object({ id: Id, name: z.string().openapi({ description: "The name of the app." }), account }))
      .openapi({ description: "Apps that the person connected, newest first." }),
    sharedPages: z
      .array(
        z.object({
          id: Id,
          title: z
            .string()
            .nullable()
            .openapi({ description: "The title, else the tag; null: of a link, without a title." }),
          account,
        }),
      )
      .openapi({ description: "Pages that the person shared and can delete, newest first." }),
  })
  .openapi("PersonAccess", {
    description: "What a person made that reads without a session of the person.",
    example: {
      apps: [{ id: "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f", name: "Assistant", account: "Harbour Tours" }],
      sharedPages: [],
    },
  });
export type PersonAccess = z.infer<typeof PersonAccess>;

export const END_ACCESS = "Also ends what `GET /api/auth/access` lists.";

export const readAccess = createRoute({
  ...operation("get", "/api/auth/access", "Sign-in", "Get access without a session"),
  ...sessionOnly,
  description:
    "What a new password and the end of other sessions end too, unless `endAccess` is false: apps, and shared pages.",
  responses: { 200: json(z.object({ access: PersonAccess }), "What the person made, in all accounts.") },
});
