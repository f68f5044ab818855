import { createRoute, z } from "@hono/zod-openapi";
import { json } from "../http/contract.ts";
import { ErrorBody } from "../http/error-body.ts";
import { MAX_PASSWORD_FORM_BYTES, PASSWORD_GUESSES_PER_ADDRESS, PASSWORD_COOKIE_TTL_MS } from "../limits.ts";
import { Slug } from "./fields.ts";

/** What visitors ask of a link besides following it. Described here, for the OpenAPI document; served by `src/redirect`. */

const params = z.object({ slug: Slug });

const Shown = z
  .object({
    shortUrl: z.string(),
    destination: z.string().nullable().openapi({ description: "For this visitor; null where a password guards it." }),
    title: z.string().nullable().openapi({ description: "Of the link's preview." }),
    status: z.enum(["active", "expired"]).openapi({ description: "`expired`: the destination is `expiredUrl`." }),
    hasPassword: z.boolean(),
    varies: z.boolean().openapi({ description: "Whether other visitors may be sent elsewhere." }),
  })
  .openapi("Destination", {
    example: {
      shortUrl: "https://go.example/Spring-26",
      destination: "https://example.com/spring?ref=poster",
      title: "Spring sale",
      status: "active",
      hasPassword: false,
      varies: false,
    },
  });

export const showDestination = createRoute({
  method: "get",
  path: "/{slug}+",
  tags: ["Redirects"],
  summary: "Show where a link leads",
  description: "A page, or JSON if Accept asks for it. It is no click and takes no visit.",
  request: { params },
  responses: {
    200: json(Shown, "Where the link leads."),
    404: json(ErrorBody, "There is no such link."),
    410: json(ErrorBody, "The link has expired or is used up, and leads nowhere."),
    503: json(ErrorBody, "The link cannot be looked up right now: `Retry-After` says when to try again."),
  },
});

export const givePassword = createRoute({
  method: "post",
  path: "/{slug}",
  tags: ["Redirects"],
  summary: "Give a link's password",
  description: `The form of the page of a link with a password, of at most ${MAX_PASSWORD_FORM_BYTES} bytes. An address has ${PASSWORD_GUESSES_PER_ADDRESS} guesses a minute at each link.`,
  request: {
    params,
    body: {
      required: true,
      content: { "application/x-www-form-urlencoded": { schema: z.object({ password: z.string() }) } },
    },
  },
  responses: {
    303: {
      description: `To the same URL, with a cookie that opens the link for ${PASSWORD_COOKIE_TTL_MS / 60_000} minutes, or until its password is changed.`,
      headers: { Location: { schema: { type: "string" } }, "Set-Cookie": { schema: { type: "string" } } },
    },
    400: json(ErrorBody, "The form did not arrive whole."),
    401: json(ErrorBody, "No password was given."),
    403: json(ErrorBody, "That is not the password."),
    405: json(ErrorBody, "The link has no password, or there is none."),
    413: json(ErrorBody, "The form is too large."),
    415: json(ErrorBody, "The body is no form."),
    429: json(ErrorBody, "Too many guesses: `Retry-After` says when the next is looked at."),
    503: json(ErrorBody, "The password could not be checked: `Retry-After` says when to try again."),
  },
});
