import { createRoute, z } from "@hono/zod-openapi";
import { json, operation } from "../../platform/http/contract.ts";

const quota = (description: string) =>
  z
    .object({
      used: z.number().int().openapi({ description: "How much the account uses now." }),
      limit: z.number().int().openapi({ description: "The maximum." }),
    })
    .openapi({ description });

export const Usage = z
  .object({
    links: quota("Links, without deleted ones."),
    linkBytes: quota(
      "Bytes of links: for each link the UTF-8 bytes of its texts, such as the URL, the slug and the tags, and a fixed number. A deleted link counts until its final deletion.",
    ),
    keys: quota("API keys that are neither revoked nor expired."),
    domains: quota("Custom domains, verified or not."),
    webhooks: quota("Webhooks, active or not."),
    utmTemplates: quota("UTM templates."),
  })
  .openapi("Usage", {
    description: "What the account uses of its quotas and of the limits that are the same for every account.",
    example: {
      links: { used: 1_200, limit: 1_000_000 },
      linkBytes: { used: 731_400, limit: 1_073_741_824 },
      keys: { used: 2, limit: 5 },
      domains: { used: 1, limit: 100 },
      webhooks: { used: 0, limit: 10 },
      utmTemplates: { used: 3, limit: 100 },
    },
  });
export type Usage = z.infer<typeof Usage>;

export const getUsage = createRoute({
  ...operation("get", "/api/usage", "Usage", "Get usage"),
  description:
    "What the account uses of its quotas and limits. A request that would exceed the quota `links` or `linkBytes` gets 403 `quota_exceeded`.",
  responses: { 200: json(z.object({ usage: Usage }), "The usage of the key's account.") },
});
