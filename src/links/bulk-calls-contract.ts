import { createRoute, z } from "@hono/zod-openapi";
import { hasChange } from "../platform/http/validation.ts";
import { conflicting, json, jsonBody, operation, Success } from "../platform/http/contract.ts";
import { ErrorBody } from "../platform/http/error-body.ts";
import { idempotencyHeaders } from "../platform/idempotency/header.ts";
import { IdInput } from "../platform/http/id.ts";
import { MAX_BODY_BYTES } from "../limits.ts";
import { Link } from "./contract.ts";
import { settings, Utm } from "./fields.ts";
import { refineTagChanges, tagChanges } from "./tag-changes.ts";
import { Destination } from "./target-fields.ts";
import { MAX_BULK_LINKS } from "./limits.ts";
import { because } from "../platform/http/faults.ts";

// Each link is validated separately: an invalid link has an error in its result, and the others are created.
const CreateLinks = z
  .strictObject({
    links: z
      .array(z.unknown())
      .min(1)
      .max(MAX_BULK_LINKS)
      .openapi({
        type: "array",
        minItems: 1,
        maxItems: MAX_BULK_LINKS,
        items: { $ref: "#/components/schemas/CreateLink" },
        description: `Each as in the request for a single link, with at most ${MAX_BODY_BYTES} bytes.`,
      }),
  })
  .openapi("CreateLinks", {
    description: "New links.",
    example: { links: [{ url: "https://example.com/1", slug: "one" }, { url: "https://example.com/2" }] },
  });

const ids = z
  .array(IdInput)
  .min(1)
  .max(MAX_BULK_LINKS)
  .openapi({ description: "The ids of the links.", example: ["01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f"] });

/** Without `slug`, `aliases`, `domain` and `externalId`, which links cannot share. */
const Changes = refineTagChanges(
  z
    .strictObject({ url: Destination.optional(), utm: Utm.optional(), ...settings, ...tagChanges })
    .omit({ externalId: true })
    .refine(hasChange, because("nothing_given")),
).openapi({ minProperties: 1, description: "The changed fields; null clears a field." });
export type Changes = z.infer<typeof Changes>;

const UpdateLinks = z.strictObject({ ids, changes: Changes }).openapi("UpdateLinks", {
  description: "The same changes to several links.",
  example: { ids: ["01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f"], changes: { addTags: ["sale"] } },
});

const DeleteLinks = z.strictObject({ ids }).openapi("DeleteLinks", {
  description: "Links to delete.",
  example: { ids: ["01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f"] },
});

const LinkResult = z
  .union([z.object({ link: Link }), ErrorBody])
  .openapi("LinkResult", { description: "The link, or the error." });
export type LinkResult = z.infer<typeof LinkResult>;

const SuccessResult = z
  .union([Success, ErrorBody])
  .openapi("SuccessResult", { description: "The success, or the error." });
export type SuccessResult = z.infer<typeof SuccessResult>;

const results = <T extends z.ZodType>(result: T, description: string) => ({
  200: json(
    z.object({
      results: z.array(result).openapi({ description: "One result for each link, in the order of the request." }),
    }),
    description,
  ),
});

export const createLinks = createRoute({
  ...operation("post", "/api/links/bulk", "Links", "Create links"),
  description: "If two links have the same slug or externalId, the first one gets it.",
  request: { ...jsonBody(CreateLinks), headers: idempotencyHeaders },
  responses: {
    ...results(LinkResult, "Each link, or the error if it was not created, in the order of the request."),
    ...conflicting("The Idempotency-Key was used for another request."),
  },
});

export const updateLinks = createRoute({
  ...operation("patch", "/api/links/bulk", "Links", "Update links"),
  description: "Makes the same changes to each link. `utm` without `url` is merged into the URL of each link.",
  request: jsonBody(UpdateLinks),
  responses: results(
    LinkResult,
    "Each link after the change, or the error if it was not changed, in the order of the request.",
  ),
});

export const deleteLinks = createRoute({
  ...operation("delete", "/api/links/bulk", "Links", "Delete links"),
  request: jsonBody(DeleteLinks),
  responses: results(SuccessResult, "The success or the error for each link, in the order of the request."),
});
