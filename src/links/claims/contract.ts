import { createRoute, z } from "@hono/zod-openapi";
import { conflicting, jsonWithCookie, operation, sessionOnly } from "../../platform/http/contract.ts";
import { Link } from "../contract.ts";
import { MAX_CLAIMS_PER_BROWSER } from "../limits.ts";

export const claimLinks = createRoute({
  ...operation("post", "/api/account/claims", "Account", "Claim links"),
  ...sessionOnly,
  description: `Moves the links that were shortened without a key in this browser into the account, with their clicks. They no longer expire, and count for the quotas. Emits \`link.create\` for each. If they exceed a quota together, none is moved and they can be claimed later. A browser can claim at most ${MAX_CLAIMS_PER_BROWSER} links at a time.`,
  responses: {
    200: jsonWithCookie(
      z
        .object({ links: z.array(Link).openapi({ description: "The claimed links, newest first. Empty: none." }) })
        .openapi({ description: "The links that the account now has." }),
      "The claimed links.",
    ),
    ...conflicting("Other requests kept changing the links."),
  },
});
