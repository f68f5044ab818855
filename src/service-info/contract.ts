import { createRoute, z } from "@hono/zod-openapi";
import { json } from "../http/contract.ts";

const ServiceInfo = z
  .object({
    version: z.string().openapi({ description: "The version of the API, as in the OpenAPI document." }),
    signIn: z.boolean().openapi({ description: "Whether persons can sign in. false: the service has no `BASE_URL`." }),
    signUp: z.enum(["open", "invited", "closed"]).openapi({
      description: "Who may sign up: everybody, persons with an invitation, or nobody.",
    }),
    emailDomainsLimited: z.boolean().openapi({
      description:
        "Whether only addresses of some e-mail domains may sign up without an invitation. The domains are not shown.",
    }),
    mail: z.boolean().openapi({
      description:
        "Whether the service can send mails. Without them nobody can sign up, be invited, or set a forgotten password.",
    }),
    anonymousLinks: z.boolean().openapi({
      description: "Whether `POST /api/shorten` accepts calls without a key and a session.",
    }),
  })
  .openapi("ServiceInfo", {
    description: "What the service offers to visitors who are not signed in.",
    example: {
      version: "1.0.0",
      signIn: true,
      signUp: "open",
      emailDomainsLimited: false,
      mail: true,
      anonymousLinks: true,
    },
  });
export type ServiceInfo = z.infer<typeof ServiceInfo>;

export const getService = createRoute({
  method: "get",
  path: "/api/service",
  tags: ["Operation"],
  summary: "Get service",
  description:
    "What a page has to know before anybody signs in. Nothing is read from the database. Clients may cache the response for a minute.",
  security: [],
  responses: { 200: json(z.object({ service: ServiceInfo }), "What the service offers.") },
});
