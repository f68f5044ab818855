import { z } from "@hono/zod-openapi";
import { conflicting } from "../../platform/http/contract.ts";
import { FaultBody } from "../../platform/http/error-body.ts";
import { Id } from "../../platform/http/id.ts";
import { Timestamp } from "../../platform/http/validation.ts";
import { DAY_MS } from "../../limits.ts";
import { EXPORT_TTL_MS } from "./limits.ts";

/** What both kinds of exports have in requests and responses. */

export const EXPORT_TTL_DAYS = EXPORT_TTL_MS / DAY_MS;
const count = (description: string) => z.number().int().nonnegative().openapi({ description });

/** The fields of every export. */
export const stateFields = {
  id: Id,
  status: z.enum(["pending", "running", "done", "failed"]).openapi({
    description: "The file can be downloaded once it is `done`.",
  }),
  progress: z
    .object({
      done: count("Records written so far."),
      total: count("Records to write, as far as it is known; exact once the export is done."),
    })
    .openapi({ description: "How far the export is." }),
  size: count("Bytes of the file; null until it is complete.").nullable(),
  error: z.string().nullable().openapi({ description: "Why the export failed; null otherwise." }),
  fault: FaultBody.nullable().openapi({ description: "The same for programs; null otherwise." }),
  createdAt: Timestamp.openapi({ description: "When the export was started, in Unix milliseconds." }),
  expiresAt: Timestamp.openapi({ description: `When it is deleted: ${EXPORT_TTL_DAYS} days after its start.` }),
};

export const EXPORT_EXAMPLE = {
  id: "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f",
  status: "running",
  progress: { done: 4_200, total: 110_000 },
  size: null,
  error: null,
  fault: null,
  createdAt: 1_790_000_000_000,
  expiresAt: 1_790_604_800_000,
} as const;

const text = (description: string) => ({ description, schema: { type: "string" as const } });
const validators = {
  ETag: text("Identifies this file, which never changes. Send it as If-None-Match."),
  "Cache-Control": text("Browsers may cache the file and must revalidate it."),
};

/** The responses with the file of an export, which has one of the content types. */
export function downloadResponses<C extends object>(content: C) {
  return {
    200: {
      description: "The file.",
      headers: { ...validators, "Content-Disposition": text("The name of the file.") },
      content,
    },
    304: { description: "The file with the ETag in If-None-Match is current.", headers: validators },
    ...conflicting("The file is not complete yet, or the export failed."),
  };
}
