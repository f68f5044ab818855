import { createRoute, z } from "@hono/zod-openapi";
import { json, operation } from "../../../platform/http/contract.ts";

const ServiceInfo = z
  .object({
    version: z.string().openapi({ description: "The version of the service, as in the OpenAPI document." }),
    claimed: z.boolean().openapi({ description: "Whether the installation has an owner." }),
    signIn: z
      .boolean()
      .openapi({ description: "Whether persons can sign in. false: the service has no host of its own yet." }),
    signUp: z.enum(["open", "invited", "closed"]).openapi({
      description: "Who may sign up: everybody, persons with an invitation, or nobody.",
    }),
    emailDomainsLimited: z.boolean().openapi({
      description: "Whether only addresses of some e-mail domains may sign up without an invitation.",
    }),
    mail: z.boolean().openapi({
      description:
        "Whether mails can be sent. If not, persons sign up and set a forgotten password with links that others hand over.",
    }),
    anonymousLinks: z.boolean().openapi({
      description: "Whether `POST /api/shorten` needs no key.",
    }),
  })
  .openapi("ServiceInfo", {
    description: "What the service offers to visitors who are not signed in.",
    example: {
      version: "0.1.0",
      claimed: true,
      signIn: true,
      signUp: "open",
      emailDomainsLimited: false,
      mail: true,
      anonymousLinks: true,
    },
  });
export type ServiceInfo = z.infer<typeof ServiceInfo>;

export const getService = createRoute({
  ...operation("get", "/api/service", "Operation", "Get service"),
  description: "What a page has to know before anybody signs in. The response may be cached for a minute.",
  security: [],
  responses: { 200: json(z.object({ service: ServiceInfo }), "What the service offers.") },
});
