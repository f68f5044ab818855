import { createRoute, z } from "@hono/zod-openapi";
import { operation, sessionOnly } from "../../platform/http/contract.ts";
import { idParams } from "../../platform/http/id.ts";

export const getLinkIcon = createRoute({
  ...operation("get", "/api/account/icons/{id}", "Account", "Get icon of destination"),
  ...sessionOnly,
  description:
    "The icon of the page that the destination watch found. The service fetches it, so the page's host sees no person.",
  request: { params: idParams("link") },
  responses: {
    200: {
      description: "The image.",
      content: { "image/*": { schema: z.string().openapi({ format: "binary" }) } },
    },
    204: { description: "There is no icon, or none that browsers show." },
  },
});
