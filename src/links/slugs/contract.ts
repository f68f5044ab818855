import { createRoute, z } from "@hono/zod-openapi";
import { json, operation } from "../../platform/http/contract.ts";
import { Id } from "../../platform/http/id.ts";
import { Domain, Slug } from "../fields.ts";

const SlugCheck = z
  .object({
    slug: z.string().openapi({ description: "As in the request." }),
    domain: z.string().openapi({ description: "The host of the short URL." }),
    available: z.boolean().openapi({ description: "Whether a new link can have the slug now." }),
    reason: z.enum(["own", "taken", "reserved", "deleted"]).nullable().openapi({
      description:
        "`own`: a link of the account has it, also as an alias. `taken`: a link of others has it. `reserved`: it is kept for the service. `deleted`: available, but a deleted link of the account could then not be restored. null: free.",
    }),
    linkId: Id.nullable().openapi({
      description: "The id of the account's link that has it.",
    }),
    suggestion: z
      .string()
      .nullable()
      .openapi({ description: "A similar slug that is free; null if `slug` is available." }),
  })
  .openapi("SlugCheck", {
    description: "Whether a new link can have a slug.",
    example: {
      slug: "Spring-26",
      domain: "go.example",
      available: false,
      reason: "own",
      linkId: "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f",
      suggestion: "Spring-26-2",
    },
  });
export type SlugCheck = z.infer<typeof SlugCheck>;

export const checkSlug = createRoute({
  ...operation("get", "/api/slugs/{slug}", "Links", "Check slug"),
  description: "Whether `POST /api/links` would accept the slug now. Nothing is reserved for you.",
  request: {
    params: z.object({ slug: Slug.openapi({ description: "The slug." }) }),
    query: z.strictObject({
      domain: Domain.optional().openapi({
        description: "The domain of the link, by default that of new links.",
      }),
    }),
  },
  responses: { 200: json(z.object({ slug: SlugCheck }), "The result of the check.") },
});
