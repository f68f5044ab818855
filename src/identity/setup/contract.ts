import { createRoute, z } from "@hono/zod-openapi";
import { conflicting, jsonBody, jsonWithCookie, operation } from "../../platform/http/contract.ts";
import { EmailInput } from "../../platform/mail/email-address.ts";
import { PasswordInput, refused, SignedIn, UserName } from "../people/schemas.ts";
import { MAX_ORIGIN_CHARS, MAX_SETUP_CODE_CHARS } from "./limits.ts";

export const claim = createRoute({
  ...operation("post", "/api/claim", "Sign-in", "Claim the installation"),
  security: [],
  description:
    "Makes the first person and account of a new installation. The person is an operator of the service, and signed in. The setup code is that which the deployment printed, or the secret `SETUP_CODE`. It counts once, for 7 days.",
  request: jsonBody(
    z
      .strictObject({
        code: z.string().min(1).max(MAX_SETUP_CODE_CHARS).openapi({
          format: "password",
          description: "The setup code. Case, spaces and hyphens do not matter.",
          example: "8Q2NV-T0K4D-M9XBC-1RZWH-6YPG3-F",
        }),
        email: EmailInput,
        name: UserName,
        password: PasswordInput,
        origin: z.url().max(MAX_ORIGIN_CHARS).optional().openapi({
          description:
            "Required if the installation has no `BASE_URL`: the origin of this request. All short URLs and passkeys then belong to it.",
          example: "https://tern.example.workers.dev",
        }),
      })
      .openapi("Claim", { description: "The first person of an installation." }),
  ),
  responses: {
    200: jsonWithCookie(SignedIn, "The person is signed in."),
    ...refused,
    ...conflicting("The installation has an owner already."),
  },
});
