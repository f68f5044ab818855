import { createRoute, z } from "@hono/zod-openapi";
import { json, jsonBody, operation } from "../../../platform/http/contract.ts";
import { refused, TokenInput } from "../schemas.ts";
import { MAIL_PURPOSES } from "./check.ts";

export const checkToken = createRoute({
  ...operation("post", "/api/auth/tokens/check", "Sign-in", "Check token"),
  security: [],
  description:
    "Whether the token of a mail can still be used: `false` if it is unknown, was used, has expired or was replaced. Does not use it.",
  request: jsonBody(
    z
      .strictObject({
        token: TokenInput,
        purpose: z.enum(MAIL_PURPOSES).openapi({ description: "What the token is for.", example: "reset_password" }),
      })
      .openapi("CheckToken", { description: "The token of the mail." }),
  ),
  responses: {
    200: json(
      z.object({ valid: z.boolean().openapi({ description: "Whether the token can be used.", example: true }) }),
      "Whether the token can be used.",
    ),
    ...refused,
  },
});
