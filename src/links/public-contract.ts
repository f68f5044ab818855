import { createRoute, z } from "@hono/zod-openapi";
import { operation, pageOrJson, unavailablePage } from "../platform/http/contract.ts";
import { ErrorBody } from "../platform/http/error-body.ts";
import { RETRY_HEADER } from "../platform/http/openapi-components.ts";
import { MAX_PASSWORD_FORM_BYTES, PASSWORD_GUESSES_PER_ADDRESS, PASSWORD_COOKIE_TTL_MS } from "../limits.ts";
import { Slug } from "./fields.ts";

/** For the OpenAPI document only: `src/redirect` serves these requests of visitors without this contract. */

const params = z.object({ slug: Slug });

const ShownDestination = z
  .object({
    shortUrl: z.string().openapi({ format: "uri", description: "The requested short URL, with its parameters." }),
    destination: z
      .string()
      .nullable()
      .openapi({ format: "iri", description: "The destination for this visitor. null if the link has a password." }),
    title: z.string().nullable().openapi({ description: "The title of the link's preview." }),
    status: z.enum(["active", "expired"]).openapi({ description: "If `expired`, the destination is `expiredUrl`." }),
    hasPassword: z.boolean().openapi({ description: "Whether visitors must enter a password." }),
    varies: z.boolean().openapi({ description: "Whether other visitors may have another destination." }),
  })
  .openapi("Destination", {
    description: "What a visitor can see of a link before following it.",
    example: {
      shortUrl: "https://go.example/Spring-26",
      destination: "https://example.com/spring?ref=poster",
      title: "Spring sale",
      status: "active",
      hasPassword: false,
      varies: false,
    },
  });

export const followLink = createRoute({
  ...operation("get", "/{slug}", "Redirects", "Follow link"),
  description:
    "The query parameters of the request are added to the destination; a parameter that the destination has already keeps its value. `rules`, `ios`, `android` and `geo` select the destination for a visitor. HEAD has the same response and uses no visit. Errors are pages, or JSON if the Accept header asks for it.",
  request: { params },
  responses: Object.fromEntries([
    ...[301, 302, 307, 308].map((status) => [
      status,
      {
        description:
          "To the destination, to `expiredUrl`, or, if a custom domain has no such link, to the `notFoundUrl` of the domain (302). So it does before `startsAt`.",
        headers: { Location: { description: "The destination.", schema: { type: "string" } } },
      },
    ]),
    [
      200,
      {
        description:
          "For browsers, a page that opens an app, if the destination is the address of an app. For link-preview fetchers, a page with the `preview`, if the link has one. A page with the destination and a way on, if the `visitors` of the link is `preview`.",
        content: { "text/html": { schema: z.string() } },
      },
    ],
    [401, pageOrJson(ErrorBody, "The link has a password; the page asks for it.")],
    [404, pageOrJson(ErrorBody, "There is no such link.")],
    [410, pageOrJson(ErrorBody, "The link has expired.")],
    [503, unavailablePage("The link cannot be read at the moment.")],
  ]),
});

export const showDestination = createRoute({
  ...operation("get", "/{slug}+", "Redirects", "Show destination"),
  description:
    "A page, or JSON if the Accept header asks for it. The request is not counted as a click and uses no visit.",
  request: { params },
  responses: {
    200: pageOrJson(ShownDestination, "The destination."),
    404: pageOrJson(ErrorBody, "There is no such link."),
    410: pageOrJson(ErrorBody, "The link has expired and has no `expiredUrl`."),
    503: unavailablePage("The link cannot be read at the moment."),
  },
});

export const givePassword = createRoute({
  ...operation("post", "/{slug}", "Redirects", "Enter link password"),
  description: `The form on the page of a link with a password, with at most ${MAX_PASSWORD_FORM_BYTES} bytes. An IP address has ${PASSWORD_GUESSES_PER_ADDRESS} guesses a minute for each link.`,
  request: {
    params,
    body: {
      required: true,
      content: {
        "application/x-www-form-urlencoded": {
          schema: z
            .object({
              password: z.string().openapi({ description: "The password of the link.", example: "tern in the wind" }),
            })
            .openapi({ description: "The fields of the form." }),
        },
      },
    },
  },
  responses: {
    303: {
      description: `To the same URL, with a cookie that opens the link for ${PASSWORD_COOKIE_TTL_MS / 60_000} minutes, unless the password is changed.`,
      headers: {
        Location: { description: "The short URL.", schema: { type: "string" } },
        "Set-Cookie": { description: "Only after the right password.", schema: { type: "string" } },
      },
    },
    400: pageOrJson(ErrorBody, "The form is incomplete."),
    401: pageOrJson(ErrorBody, "The form has no password."),
    403: pageOrJson(ErrorBody, "The password is wrong."),
    405: {
      ...pageOrJson(ErrorBody, "There is no such link, or it has no password."),
      headers: { Allow: { description: "The methods of the link.", schema: { type: "string" } } },
    },
    413: pageOrJson(ErrorBody, "The form is too large."),
    415: pageOrJson(ErrorBody, "The body is not a form."),
    429: { ...pageOrJson(ErrorBody, "Too many guesses."), headers: RETRY_HEADER },
    503: unavailablePage("The password could not be checked."),
  },
});
