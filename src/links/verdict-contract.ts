import { z } from "@hono/zod-openapi";
import { Timestamp } from "../platform/http/validation.ts";
import { VERDICT_REASONS, VERDICT_STATES } from "../redirect/verdict.ts";

export const Verdict = z
  .object({
    state: z.enum(VERDICT_STATES).openapi({
      description:
        "`pending` and `warned`: visitors see the destination first, with a way on. `blocked`: they get a 410, or a 451 after a legal order, and never `expiredUrl`.",
    }),
    reason: z.enum(VERDICT_REASONS).nullable().openapi({ description: "Why; null without a reason." }),
    since: Timestamp.nullable().openapi({
      description: "When the state began, in Unix milliseconds; null: with the link.",
    }),
  })
  .openapi("Verdict", {
    description: "Whether visitors may follow the link. Only the service and its operators change it.",
    example: { state: "blocked", reason: "phishing", since: 1_790_000_000_000 },
  });

/** `preview`: a page with the destination and a way on. `page`: one in place of the destination. */
export const Visitors = z.enum(["redirect", "preview", "page"]).openapi({
  description:
    "What visitors get. `redirect`: at once the destination, or `expiredUrl`. `preview`: a page (200) that shows it, with a way on, because `verdict` is `pending` or `warned`. `page`: a page in its place, because `verdict` is `blocked`, because by `status` the link has ended without an `expiredUrl` or has not begun, or because of `hasPassword`.",
});
export type Visitors = z.infer<typeof Visitors>;
