import { createRoute, z } from "@hono/zod-openapi";
import { json, operation } from "../../platform/http/contract.ts";
import { Timestamp } from "../../platform/http/validation.ts";
import { EXAMPLE_TOKEN, localOnly } from "./schemas.ts";

export const listMails = createRoute({
  ...operation("get", "/api/auth/outbox", "Sign-in", "List mails"),
  security: [],
  description: "Only on localhost: the newest mails of this service, which are sent to nobody.",
  responses: {
    200: json(
      z.object({
        mails: z
          .array(
            z.object({
              to: z.string().openapi({ description: "The recipient." }),
              subject: z.string().openapi({ description: "The subject." }),
              link: z
                .string()
                .nullable()
                .openapi({ format: "uri", description: "The link with its token; null: a mere notice." }),
              createdAt: Timestamp,
            }),
          )
          .openapi({
            description: "Newest first.",
            example: [
              {
                to: "ann@example.com",
                subject: "Verify your address",
                link: `http://localhost:8787/app/verify-email#token=${EXAMPLE_TOKEN}`,
                createdAt: 1_790_000_000_000,
              },
            ],
          }),
      }),
      "The mails.",
    ),
    ...localOnly,
  },
});
