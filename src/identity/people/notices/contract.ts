import { z } from "@hono/zod-openapi";
import { Id } from "../../../platform/http/id.ts";
import { Timestamp } from "../../../platform/http/validation.ts";

export const Notice = z
  .object({
    id: Id,
    title: z.string().openapi({ description: "What happened, in the language of mails." }),
    text: z.string().openapi({ description: "More about it." }),
    createdAt: Timestamp.openapi({ description: "When it happened, in Unix milliseconds." }),
  })
  .openapi("Notice", {
    description: "What the service would tell the person by mail.",
    example: {
      id: "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f",
      title: "Your password was changed",
      text: "The password of your account was changed.",
      createdAt: 1_790_000_000_000,
    },
  });
export type Notice = z.infer<typeof Notice>;
