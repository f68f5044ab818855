import { createRoute, z } from "@hono/zod-openapi";
import { operation } from "../http/contract.ts";
import { errorRef } from "../http/openapi-components.ts";
import { MAX_URL_CHARS } from "../limits.ts";
import { oneLink } from "./contract.ts";

const byUrlQuery = z.strictObject({
  url: z
    .string()
    .trim()
    .min(1, "must not be empty")
    .max(MAX_URL_CHARS, `must have at most ${MAX_URL_CHARS} characters`)
    .openapi({
      description:
        "The short URL as people write it: with or without `https://`, in any case that its domain allows, with an alias in place of the slug, with a query, a trailing slash or a trailing `+`.",
      example: "https://go.example/Spring-26",
    }),
});

export const getLinkByUrl = createRoute({
  ...operation("get", "/api/links/by-url", "Links", "Get link by URL"),
  description:
    "The link of the account to which the short URL leads. Short URLs of others are a 404, as those that nobody has.",
  request: { query: byUrlQuery },
  responses: { 200: oneLink("The link."), 404: errorRef(404) },
});
