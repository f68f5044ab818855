import { createRoute, z } from "@hono/zod-openapi";
import { ORPHAN_VISITS_KEPT_DAYS } from "../click-log/limits.ts";
import { json, operation } from "../platform/http/contract.ts";
import { idParams } from "../platform/http/id.ts";
import { wholeNumber } from "../platform/http/pagination.ts";
import { Timestamp } from "../platform/http/validation.ts";
import { MAX_LISTED_ORPHAN_PATHS } from "./limits.ts";

const OrphanVisits = z
  .object({
    from: Timestamp.openapi({
      description: "The beginning of the first UTC day that is counted, in Unix milliseconds.",
    }),
    paths: z
      .array(
        z.object({
          path: z.string().openapi({ description: "Without the slashes around it, and not percent-encoded." }),
          slug: z
            .string()
            .nullable()
            .openapi({ description: "The slug of a link that would be there; null: no link can be." }),
          visits: z.int().openapi({ description: "How often it was visited." }),
          lastVisitedOn: Timestamp.openapi({
            description: "The beginning of the last UTC day with a visit, in Unix milliseconds.",
          }),
        }),
      )
      .openapi({ description: "The paths, those with the most visits first." }),
    others: z.int().openapi({ description: "Visits of paths that are too many or too long to be kept." }),
  })
  .openapi("OrphanVisits", {
    description: "Visits of paths at which a domain has nothing.",
    example: {
      from: 1_789_948_800_000,
      paths: [{ path: "sping", slug: "sping", visits: 12, lastVisitedOn: 1_789_948_800_000 }],
      others: 3,
    },
  });
export type OrphanVisits = z.infer<typeof OrphanVisits>;

export const listOrphanVisits = createRoute({
  ...operation("get", "/api/domains/{id}/orphan-visits", "Domains", "List orphan visits"),
  description: `The paths without a link that people visited at the domain, those with the most visits first, at most ${MAX_LISTED_ORPHAN_PATHS}.`,
  request: {
    params: idParams("domain"),
    query: z.strictObject({
      days: wholeNumber(ORPHAN_VISITS_KEPT_DAYS).optional().openapi({
        default: ORPHAN_VISITS_KEPT_DAYS,
        description: "How many UTC days are counted, today included.",
      }),
    }),
  },
  responses: { 200: json(z.object({ orphanVisits: OrphanVisits }), "The visits.") },
});
