import { createRoute, z } from "@hono/zod-openapi";
import { json } from "../http/contract.ts";
import { Id } from "../http/id.ts";
import { Domain, Slug } from "../links/fields.ts";

const SlugCheck = z
  .object({
    slug: z.string().openapi({ description: "The slug of the request." }),
    domain: z.string().openapi({ description: "The host of the short URL." }),
    available: z.boolean().openapi({ description: "Whether a new link can have the slug now." }),
    reason: z.enum(["own", "taken", "reserved", "deleted"]).nullable().openapi({
      description:
        "`own`: a link of the account has the slug, also as an alias. `taken`: another account has it. `reserved`: the service needs it. `deleted`: it is available, but a deleted link of the account has it and could then not be restored. null: it is free.",
    }),
    link: Id.nullable().openapi({
      description: "The id of the account's link that has the slug (`own` or `deleted`); null: none has it.",
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
      link: "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f",
      suggestion: "Spring-26-2",
    },
  });
export type SlugCheck = z.infer<typeof SlugCheck>;

export const checkSlug = createRoute({
  method: "get",
  path: "/api/slugs/{slug}",
  tags: ["Links"],
  summary: "Check slug",
  description:
    "Whether `POST /api/links` would accept the slug, by the same rules. Nothing is reserved: another request can take the slug before yours.",
  request: {
    params: z.object({ slug: Slug.openapi({ description: "The slug, as a request to create a link would give it." }) }),
    query: z.strictObject({
      domain: Domain.optional().openapi({
        description: "The domain of the link. By default that of new links: the account's, else the service's own.",
      }),
    }),
  },
  responses: { 200: json(z.object({ slug: SlugCheck }), "The result of the check.") },
});
