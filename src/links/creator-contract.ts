import { z } from "@hono/zod-openapi";
import { Id } from "../platform/http/id.ts";

export const LinkCreator = z
  .object({
    type: z.enum(["key", "user"]).openapi({ description: "What created it. Later versions may add other creators." }),
    id: Id.openapi({ description: "The id of the key, which may be revoked, or of the user, who may have left." }),
  })
  .openapi({ description: "What created the link. null: it was made without a key and a person." });
