import { z } from "@hono/zod-openapi";
import { Timestamp } from "../platform/http/validation.ts";

export const VISITED_DESTINATION_EXAMPLE = {
  state: "working" as const,
  title: "Spring sale at Example",
  icon: "https://example.com/favicon.ico",
  host: "www.example.com",
  status: 200,
  checkedAt: 1_790_000_060_000,
  brokenSince: null,
};

export const VisitedDestination = z
  .object({
    state: z.enum(["working", "failing", "broken", "unknown"]).openapi({
      description:
        "`failing`: the last visits found it dead. `broken`: so many in a row that it is reported. `unknown`: it could not be judged, for example because of its robots.txt.",
    }),
    title: z.string().nullable().openapi({ description: "The title of the page." }),
    icon: z.string().nullable().openapi({ format: "uri", description: "The URL of the icon of the page." }),
    host: z.string().openapi({ description: "The host where the redirects of the destination ended." }),
    status: z.number().int().nullable().openapi({ description: "The HTTP status of the page; null: no response." }),
    checkedAt: Timestamp.openapi({ description: "When the destination was last visited, in Unix milliseconds." }),
    brokenSince: Timestamp.nullable().openapi({ description: "When it was found broken; null: it is not." }),
  })
  .openapi("VisitedDestination", {
    description: "What the service found at `url`; null if it was not visited.",
    example: VISITED_DESTINATION_EXAMPLE,
  });
