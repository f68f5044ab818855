import { createRoute, z } from "@hono/zod-openapi";
import { clickSums, LinkCount, SUMS_EXAMPLE } from "../analytics/contract.ts";
import { linkClicksQuery } from "../analytics/query-contract.ts";
import { json, jsonBody, jsonWithCookie, operation, Success } from "../../platform/http/contract.ts";
import { ErrorBody } from "../../platform/http/error-body.ts";
import { MAX_PASSWORD_CHARS, MAX_TOKEN_CHARS } from "../../limits.ts";
import { EXAMPLE_SHARE_TOKEN } from "./contract.ts";

// What viewers of a shared page send and get. They need no API key.

const ViewedPage = z
  .object({
    title: z.string().nullable().openapi({ description: "The title of the page." }),
    shortUrl: z
      .string()
      .nullable()
      .openapi({ format: "uri", description: "The short URL of the link; null for a tag." }),
    tag: z.string().nullable().openapi({ description: "The tag; null for a link." }),
    destination: z.string().nullable().openapi({
      format: "iri",
      description: "Where the link leads; null unless the account shows it.",
    }),
  })
  .openapi("ViewedPage", {
    description: "A shared page as viewers see it.",
    example: { title: "Spring sale", shortUrl: "https://go.example/spring", tag: null, destination: null },
  });
export type ViewedPage = z.infer<typeof ViewedPage>;

const { links: _, ...sums } = clickSums;

const SharedClicks = z
  .object({
    ...sums,
    links: z
      .array(LinkCount.extend({ value: z.string().openapi({ description: "The slug of the link." }) }))
      .optional()
      .openapi({ description: "The links with the most clicks, paged like the values. Only for a tag." }),
  })
  .openapi("SharedClicks", {
    description: "Totals of the clicks of a period, as `Clicks` without single clicks and without ids of links.",
    example: SUMS_EXAMPLE,
  });
export type SharedClicks = z.infer<typeof SharedClicks>;

const params = z.object({
  token: z.string().openapi({
    maxLength: MAX_TOKEN_CHARS,
    description: "The last part of the page's URL. Any other text is not found.",
    example: EXAMPLE_SHARE_TOKEN,
  }),
});

const passwordRequired = {
  401: json(ErrorBody, "The page has a password, and the request has no cookie of a viewer who entered it."),
};

// Routes

export const viewSharedPage = createRoute({
  ...operation("get", "/api/shared/{token}", "Shared pages", "View shared page"),
  security: [],
  request: { params },
  responses: { 200: json(z.object({ page: ViewedPage }), "What the page is about."), ...passwordRequired },
});

export const enterSharedPassword = createRoute({
  ...operation("post", "/api/shared/{token}/password", "Shared pages", "Enter shared page password"),
  security: [],
  description:
    "The cookie opens this page for an hour, unless its password changes. Only wrong guesses count against the limits of guesses.",
  request: {
    params,
    ...jsonBody(
      z
        .strictObject({
          // A password of another length than pages can have is wrong, not invalid. A character has one or two code units.
          password: z
            .string()
            .min(1)
            .max(2 * MAX_PASSWORD_CHARS)
            .openapi({
              format: "password",
              writeOnly: true,
              description: "The password of the page.",
              example: "tern in the wind",
            }),
        })
        .openapi("EnterSharedPassword", {
          description: "The password of a shared page.",
          example: { password: "tern in the wind" },
        }),
    ),
  },
  responses: {
    200: jsonWithCookie(Success, "The password is right, or the page has none."),
    403: json(ErrorBody, "The password is wrong."),
  },
});

export const getSharedClicks = createRoute({
  ...operation("get", "/api/shared/{token}/clicks", "Shared pages", "Get shared clicks"),
  security: [],
  request: { params, query: linkClicksQuery },
  responses: { 200: json(z.object({ clicks: SharedClicks }), "The totals of the period."), ...passwordRequired },
});
